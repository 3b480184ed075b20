/**
 * Owns the host inside the program: the generated command wrappers, the commands that are invoked by name because the
 * generator does not name them yet, and the two events. No logic.
 */
import { invoke } from '@tauri-apps/api/core';
import { commands, events } from './bindings.gen';
import type { Host, OperateHost, ReadHost, SubjectHost } from './host';

const changes: OperateHost = {
  guardUnlock: (minutes, typed) => invoke('guard_unlock', { minutes, typed }),
  guardLock: () => invoke('guard_lock'),
  actionCheck: (action) => invoke('action_check', { action }),
  actionPreview: (intent) => invoke('action_preview', { intent }),
  actionConfirm: (previewId, typed) => invoke('action_confirm', { previewId, typed }),
  activityList: (query) => invoke('activity_list', { query }),
  activityGet: (id) => invoke('activity_get', { id }),
  activitySettle: (id) => invoke('activity_settle', { id }),
  activityExport: (query, format) => invoke('activity_export', { query, format }),
  runList: (openOnly) => invoke('run_list', { openOnly }),
  runGet: (id) => invoke('run_get', { id }),
  runPause: (id) => invoke('run_pause', { id }),
  runResume: (id) => invoke('run_resume', { id }),
  runStop: (id) => invoke('run_stop', { id }),
  presetList: () => invoke('preset_list'),
  presetSave: (preset) => invoke('preset_save', { preset }),
  presetDelete: (name) => invoke('preset_delete', { name }),
  sessionLogSave: (gameSessionId) => invoke('session_log_save', { gameSessionId }),
};

const subjects: SubjectHost = {
  repointCompare: (aliasId, fleetId) => invoke('repoint_compare', { aliasId, fleetId }),
  repointWatch: (activityId) => invoke('repoint_watch', { activityId }),
  placementGet: (placementId) => invoke('placement_get', { placementId }),
  queueGet: (name, region) => invoke('queue_get', { name, region }),
  matchmakingGet: (range) => invoke('matchmaking_get', { range }),
  matchmakingEvents: (configuration, range, page) =>
    invoke('matchmaking_events', { configuration, range, page }),
  ticketList: (query) => invoke('ticket_list', { query }),
  ticketGet: (ticketId, region) => invoke('ticket_get', { ticketId, region }),
  contentList: () => invoke('content_list'),
  scriptZipPick: () => invoke('script_zip_pick'),
};

type Reads = Omit<ReadHost, 'onChanged' | 'onHealth'>;

export const tauriHost: Host = {
  ...(commands as unknown as Reads),
  ...changes,
  ...subjects,
  onChanged: (listener) => events.changed.listen((event) => listener(event.payload)),
  onHealth: (listener) => events.health.listen((event) => listener(event.payload)),
};
