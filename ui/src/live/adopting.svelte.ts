/** Owns which event queue is being looked at for adoption, and whether what was set aside is shown; one at a time. */
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
