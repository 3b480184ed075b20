/** Owns reporting the failure of a small step: in a toast, with what to do about it. */
import { toast } from '$kit/toast';
import { asAppError } from '$live/error';

/** Does the work and reports its failure; never throws. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const error = asAppError(thrown);
    toast.failed(error.message, error.remedy ?? undefined);
  }
}
