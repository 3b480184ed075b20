/**
 * Owns the host of the hostile world: every text somebody else chose is one of the payloads the page was given
 * (`hostilePayloads`, set before the page begins), between marks that tell which. Ids, kinds and words of ours stay, or
 * nothing would be found again.
 */
const ours =
  /^(id|key|kind|state|status|type|mode|outcome|environment|theme|timeZone|severity|operation|region|location|subject|unit|column|metric|version|zone|fake|sort|effect|cause|feature|action|policyType|comparison|statistic|os|resourceKind|followed|verdict|phase)$|(Id|Ids|Arn|Url|Kind|State|Status|Type|Mode|Policy|Key|Region|Location|Subject)$/;

/** What a page tells a payload by: `⟦` number `⟧` behind it. */
const marked = (payloads: readonly string[], number: number): string => `${payloads[number]}⟦${number}⟧`;

function poisoned(value: unknown, next: () => string, name = ''): unknown {
  if (typeof value === 'string') return ours.test(name) || value === '' ? value : next();
  if (Array.isArray(value)) return value.map((part) => poisoned(part, next, name));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      ['settings', 'subjects', 'columns'].includes(key) ? part : poisoned(part, next, key),
    ]),
  );
}

/** The same host with hostile answers. */
export function hostile<Fake extends object>(host: Fake): Fake {
  const payloads = (globalThis as { hostilePayloads?: string[] }).hostilePayloads ?? ['\u202e<b>'];
  let number = 0;
  const next = () => marked(payloads, number++ % payloads.length);
  const wrap =
    (call: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      const answer = call(...given);
      return answer instanceof Promise ? answer.then((value: unknown) => poisoned(value, next)) : answer;
    };
  return Object.fromEntries(
    Object.entries(host).map(([name, call]) => [
      name,
      typeof call === 'function' ? wrap(call as () => unknown) : call,
    ]),
  ) as Fake;
}
