/** Owns the invented answers about fleets, aliases and the whole account. */
import type {
  AliasRow, FleetDetail, FleetRow, Freshness, HeatRow, InstanceRow, Kpi, Overview, QueueRow, Range,
} from '$host/bindings.gen'; // prettier-ignore
import { attention, changes } from './changes';
import { fleets, type FakeFleet } from './fleets';
import { anchorMs, cappedSince, fleetLoad, locationLoad, type Load } from './load';
import { chance, hex, uuid } from './random';
import { placements } from './series';

const day = 86_400_000;
const sparkRows = 90;

function spark(range: Range, nowMs: number, read: (at: number) => number | null): (number | null)[] {
  const end = Math.min(range.toMs, nowMs);
  return Array.from({ length: sparkRows }, (_, index) =>
    read(range.fromMs + ((end - range.fromMs) * index) / (sparkRows - 1)),
  );
}

export function overview(range: Range, nowMs: number, freshness: Freshness): Overview {
  const at = Math.min(range.toMs, nowMs);
  const sum = (when: number, read: (load: Load) => number) =>
    fleets.reduce((total, fleet) => total + read(fleetLoad(fleet, when)), 0);
  const kpi = (key: Kpi['key'], unit: Kpi['unit'], read: (when: number) => number, more?: Partial<Kpi>): Kpi => ({
    key, unit, value: read(at), of: null, yesterday: read(at - day), failedShare: null,
    spark: spark(range, nowMs, read), freshness, ...more,
  }); // prettier-ignore
  const rate = placements(at);
  return {
    kpis: [
      kpi('playersOnline', 'count', (when) => sum(when, (load) => load.players)),
      kpi('activeSessions', 'count', (when) => sum(when, (load) => load.sessions)),
      kpi('instances', 'count', (when) => sum(when, (load) => load.active), {
        of: sum(at, (load) => load.max),
      }),
      kpi('freeProcesses', 'count', (when) => sum(when, (load) => load.processes - load.sessions)),
      kpi(
        'placementsPerMinute',
        'perMinute',
        (when) => placements(when).fulfilled + placements(when).failed,
        {
          failedShare: rate.failed / (rate.failed + rate.fulfilled),
        },
      ),
      kpi('matchmakingWaitP95', 'seconds', (when) => 22 + placements(when).failed * 0.6),
    ],
    locations: [...new Set(fleets.flatMap((fleet) => fleet.locations.map((location) => location.name)))],
    heat: fleets.map((fleet) => heatRow(fleet, at)),
    heatFreshness: freshness,
    attention: attention(nowMs),
    changes: changes(range),
    regions: new Set(fleets.map((fleet) => fleet.region)).size,
    fleets: fleets.length,
  };
}

function heatRow(fleet: FakeFleet, at: number): HeatRow {
  const whole = fleetLoad(fleet, at);
  return {
    fleetId: fleet.id,
    name: fleet.name,
    region: fleet.region,
    state: fleet.state,
    cells: fleet.locations.map((location) => {
      const load = locationLoad(fleet, location, at);
      return {
        location: location.name,
        utilization: load.processes > 0 ? load.sessions / load.processes : null,
        sessions: load.sessions,
        processes: load.processes,
        activeInstances: load.active,
        desiredInstances: load.desired,
        maxInstances: load.max,
      };
    }),
    sessions: whole.sessions,
    players: whole.players,
  };
}

export function fleetRow(fleet: FakeFleet, nowMs: number, freshness: Freshness): FleetRow {
  const load = fleetLoad(fleet, nowMs);
  return {
    fleetId: fleet.id,
    arn: fleet.arn,
    name: fleet.name,
    region: fleet.region,
    status: fleet.state === 'pending' ? 'ACTIVATING' : 'ACTIVE',
    state: fleet.state,
    kind: fleet.kind,
    instanceType: fleet.instanceType,
    buildOrScript: fleet.kind === 'anywhere' ? null : fleet.build,
    buildOrScriptId: fleet.kind === 'anywhere' ? null : fleet.buildId,
    isRealtime: fleet.realtime,
    locations: fleet.locations.map((location) => location.name),
    desired: load.desired,
    active: load.active,
    max: load.max,
    sessions: load.sessions,
    players: load.players,
    freePercent: Number.isNaN(load.percentAvailable) ? null : load.percentAvailable,
    spark: spark({ fromMs: nowMs - 3 * 36e5, toMs: nowMs }, nowMs, (when) => {
      const then = fleetLoad(fleet, when);
      return then.processes > 0 ? then.sessions / then.processes : null;
    }),
    aliases: fleet.aliases,
    queues: fleet.queues,
    freshness,
  };
}

export function fleetDetail(fleet: FakeFleet, nowMs: number, freshness: Freshness): FleetDetail {
  const row = fleetRow(fleet, nowMs, freshness);
  const since = cappedSince(fleet, nowMs);
  const anywhere = fleet.kind === 'anywhere';
  return {
    row,
    description: fleet.name.includes('canary') ? 'Release candidates, 2 % of ranked traffic' : 'Arena game servers',
    createdMs: anchorMs - (4 + fleet.seed * 3) * day,
    terminatedMs: null,
    operatingSystem: anywhere ? null : 'AMAZON_LINUX_2023',
    protection: fleet.kind === 'ec2Spot' ? 'NoProtection' : 'FullProtection',
    certificate: anywhere ? null : 'GENERATED',
    instanceRoleArn: anywhere ? null : 'arn:aws:iam::111122223333:role/arena-server',
    metricGroups: ['arena'],
    creatorLimit: '6 new sessions each 10 min by creator',
    capped: since === null ? null : { sinceMs: since },
    locations: fleet.locations.map((location) => {
      const load = locationLoad(fleet, location, nowMs);
      return {
        location: location.name, status: row.status, desired: load.desired, min: load.min, max: load.max,
        pending: load.pending, active: load.active, idle: load.idle, terminating: load.terminating,
        sessions: load.sessions, players: load.players, processes: load.processes,
        scalingSuspended: fleet.name === 'arena-canary', updatePending: false, freshness,
      }; // prettier-ignore
    }),
    policies: anywhere
      ? []
      : [
          {
            name: 'track-free', kind: 'targetBased', status: 'ACTIVE', location: null,
            metric: 'PercentAvailableGameSessions', targetValue: fleet.capped ? 25 : 20, rule: null,
            definition: { targetBased: { targetValue: fleet.capped ? 25 : 20 } },
          },
          ...(fleet.kind === 'ec2Spot'
            ? [{
                name: 'idle-down', kind: 'ruleBased' as const, status: 'ACTIVE', location: null,
                metric: 'IdleInstances', targetValue: null, rule: 'IdleInstances > 4 for 10 min → −1 instance',
                definition: {
                  ruleBased: {
                    metricName: 'IdleInstances', comparisonOperator: 'GreaterThanThreshold', threshold: 4, evaluationPeriods: 10,
                    scalingAdjustmentType: 'ChangeInCapacity', scalingAdjustment: -1,
                  },
                },
              }]
            : []),
        ],
    configurationFreshness: freshness,
    runtime: anywhere
      ? []
      : [{
          launchPath: fleet.realtime ? '/local/game/main.js' : '/local/game/ArenaServer',
          parameters: fleet.realtime ? null : '-log -port 7777 -mode ranked',
          concurrent: fleet.perInstance,
        }],
    maxConcurrentActivations: 2,
    activationTimeoutSeconds: 300,
    ports: anywhere ? [] : [{ fromPort: 7777, toPort: 7877, ipRange: '0.0.0.0/0', protocol: 'UDP' }],
    scriptVersion: fleet.realtime ? 'v41' : null,
    counts: { sessions: row.sessions, instances: row.active },
  }; // prettier-ignore
}

export function instances(fleet: FakeFleet, nowMs: number): InstanceRow[] {
  return fleet.locations.flatMap((location) => {
    const load = locationLoad(fleet, location, nowMs);
    return Array.from({ length: load.active + load.pending }, (_, index): InstanceRow => {
      const seed = fleet.seed * 100 + location.name.length;
      const pending = index >= load.active;
      const sessions = pending ? 0 : Math.min(fleet.perInstance, Math.max(0, load.sessions - index * fleet.perInstance));
      const ip = `52.${16 + (seed % 40)}.${Math.floor(chance(seed, index) * 255)}.${1 + Math.floor(chance(seed + 1, index) * 253)}`;
      return {
        instanceId: `i-${hex(seed, index, 17)}`, computeName: `i-${hex(seed, index, 17)}`,
        status: pending ? 'PENDING' : 'ACTIVE', location: location.name, type: fleet.instanceType,
        ipAddress: pending ? null : ip,
        dnsName: pending ? null : `ec2-${ip.replaceAll('.', '-')}.${location.name}.compute.amazonaws.com`,
        createdMs: anchorMs - Math.round(chance(seed + 2, index) * 9 * 36e5) - 240_000,
        sessions, players: Math.round(sessions * 5.6),
      };
    }); // prettier-ignore
  });
}

export function aliases(nowMs: number, freshness: Freshness): AliasRow[] {
  const live = fleets.flatMap((fleet) => fleet.aliases.map((name) => ({ name, fleet })));
  const month = { fromMs: nowMs - 30 * day, toMs: nowMs };
  const simple = live.map(({ name, fleet }, index): AliasRow => {
    const history = changes(month, fleet).filter((change) => change.kind === 'alias');
    return {
      aliasId: `alias-${uuid(29, index)}`, name, region: fleet.region, description: `Players of ${fleet.name}`,
      routing: 'SIMPLE', fleetId: fleet.id, fleetName: fleet.name, message: null,
      sessionsOnTarget: fleetLoad(fleet, nowMs).sessions,
      updatedMs: history[0]?.atMs ?? anchorMs - (index + 2) * 3 * day, history, freshness,
    };
  }); // prettier-ignore
  const closed: AliasRow = {
    aliasId: `alias-${uuid(29, 99)}`, name: 'arena-season-3', region: 'eu-west-1', description: null,
    routing: 'TERMINAL', fleetId: null, fleetName: null, message: 'Season 3 is over. Update to play season 4.',
    sessionsOnTarget: 0, updatedMs: anchorMs - 41 * day, history: [], freshness,
  }; // prettier-ignore
  return [...simple, closed];
}

/** A queue leads to a fleet, or to the alias that leads to it. */
function destination(fleet: FakeFleet, through: boolean): QueueRow['destinations'][number] {
  const names = fleets.flatMap((one) => one.aliases);
  const name = fleet.aliases[0];
  if (!through || name === undefined)
    return { arn: fleet.arn, label: fleet.name, fleetId: fleet.id, aliasId: null };
  const aliasId = `alias-${uuid(29, names.indexOf(name))}`;
  return {
    arn: `arn:aws:gamelift:${fleet.region}::alias/${aliasId}`,
    label: name,
    fleetId: fleet.id,
    aliasId,
  };
}

export function queues(freshness: Freshness): QueueRow[] {
  const names = [...new Set(fleets.flatMap((fleet) => fleet.queues))];
  return names.map((name) => {
    const own = fleets.filter((fleet) => fleet.queues.includes(name));
    const region = own[0]?.region ?? 'eu-west-1';
    return {
      name,
      region,
      arn: `arn:aws:gamelift:${region}:111122223333:gamesessionqueue/${name}`,
      timeoutSeconds: name === 'arena-eu' ? 30 : 60,
      destinations: own.map((fleet) => destination(fleet, name === 'coop')),
      latencyPolicies: ['≤ 60 ms for 20 s', '≤ 120 ms after'],
      priority: ['LATENCY', 'COST', 'DESTINATION', 'LOCATION'],
      notificationTarget: `arn:aws:sns:${region}:111122223333:gamelift-placements`,
      freshness,
    };
  });
}
