/** Owns how a chart is described. Colours are names of tokens (`--series-1`), so that a theme change repaints. */

export type ChartSeries = {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** One value a row; NaN is a gap. */
  readonly values: ArrayLike<number>;
  /** The lowest and highest inside each row's bucket, drawn as a soft band behind the line. */
  readonly band?: { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> } | null;
  readonly style: 'line' | 'area' | 'step' | 'stepArea' | 'bars';
  readonly dashed?: boolean;
  /** The second scale, drawn at the right. */
  readonly right?: boolean;
  readonly format: (value: number) => string;
  /** How the axis writes it, when that differs. */
  readonly axisFormat?: (value: number) => string;
  /** Zero is the usual state and not worth a line along the axis; the legend still says it. */
  readonly hidesZero?: boolean;
  /** Drawn but not named in the legend. */
  readonly quiet?: boolean;
};

/** The ground between two series. */
export type ChartGround = { readonly upper: string; readonly lower: string; readonly color: string };
/** A stretch of time with a tinted ground, such as "at its limit". */
export type ChartSpan = { readonly fromMs: number; readonly toMs: number; readonly color: string };
export type ChartRange = { readonly fromMs: number; readonly toMs: number };

export type ChartMark = {
  readonly key: string;
  readonly atMs: number;
  readonly color: string;
  readonly shape: 'circle' | 'square' | 'triangle' | 'diamond';
  readonly text: string;
};

/** Pixels kept free at both sides, so that stacked charts line up. */
export const gutters = { left: 48, right: 48 };
/** Pixels of height a time axis takes. */
export const timeAxis = 20;
