/** Owns what people do about an alert: take note of it, write something down. Sent once, told when it failed. */
import { asAppError } from '$live/error';
import type { Alert } from '$live/types';
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
export async function addNote(id: string, text: string): Promise<boolean> {
  try {
    await wire().alertNote(id, text);
    return true;
  } catch (thrown) {
    const failure = asAppError(thrown);
    toast.failed('Could not add the note', failure.remedy ?? failure.message);
    return false;
  }
}
