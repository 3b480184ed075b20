/** Owns acknowledging an alert: sent once, told when it failed. */
import { asAppError } from '$live/error';
import type { Alert } from '$live/types';
import { wire } from '$live/wire';
import { toast } from '$kit/toast';

/** Records that the person has taken note of the alert. */
export async function acknowledge(alert: Alert): Promise<void> {
  try {
    await wire().alertAcknowledge(alert.id);
  } catch (thrown) {
    const failure = asAppError(thrown);
    toast.failed('Could not acknowledge the alert', failure.remedy ?? failure.message);
  }
}
