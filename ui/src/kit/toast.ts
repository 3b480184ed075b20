/** Owns short messages that need no answer; `Toasts.svelte` shows them. */
import { toast as show } from 'svelte-sonner';

export const toast = {
  done: (title: string, description?: string) => show.success(title, { description }),
  failed: (title: string, description?: string) => show.error(title, { description, duration: 10_000 }),
};
