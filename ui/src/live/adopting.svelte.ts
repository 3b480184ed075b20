/**
 * Owns which event queue is being reviewed for adoption, and whether the messages set aside are shown. At
 * most one of the two is open.
 */
let url = $state.raw<string | null>(null);
let aside = $state.raw(false);

export const adopting = {
  get url(): string | null {
    return url;
  },
  /** Whether the messages that were set aside are shown. */
  get aside(): boolean {
    return aside;
  },
  ask(queueUrl: string): void {
    url = queueUrl;
    aside = false;
  },
  showAside(): void {
    url = null;
    aside = true;
  },
  close(): void {
    url = null;
    aside = false;
  },
};
