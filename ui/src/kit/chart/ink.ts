/** Owns turning a colour token into a colour that a canvas accepts. */

/** The computed value of a token, with alpha. */
export function ink(token: string, alpha = 1): string {
  const color = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  if (alpha === 1 || !color.startsWith('#')) return color;
  return `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
