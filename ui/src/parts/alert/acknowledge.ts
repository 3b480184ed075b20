/** Owns what people do about an alert or a span: take note of it, write something down. Sent once, told when it failed. */
import { asAppError } from '$live/error';
import type { Alert, IncidentScope, TimeRange } from '$live/types';
import { wire } from '$live/wire';
import { toast } from '$kit/toast';

/** Records that the person has taken note of the alert. */
export async function acknowledge(alert: Pick<Alert, 'id'>): Promise<void> {
  try {
    await wire().alertAcknowledge(alert.id);
  } catch (thrown) {
    const failure = asAppError(thrown);
    toast.failed('Could not acknowledge the alert', failure.remedy ?? failure.message);
  }
}

/** Adds a note to the alert. Returns whether it was written down. */
export const addNote = (id: string, text: string): Promise<boolean> =>
  noted(() => wire().alertNote(id, text));

/** Adds a note to a span of time. Returns whether it was written down. */
export const addSpanNote = (scope: IncidentScope, range: TimeRange, text: string): Promise<boolean> =>
  noted(() => wire().spanNote(scope, range, text));

async function noted(add: () => Promise<unknown>): Promise<boolean> {
  try {
    await add();
    return true;
  } catch (thrown) {
    const failure = asAppError(thrown);
    toast.failed('Could not add the note', failure.remedy ?? failure.message);
    return false;
  }
}
