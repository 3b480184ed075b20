/** Owns how a chart is described. Colours are names of tokens (`--series-1`), so that a theme change repaints. */

export type ChartSeries = {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** One value per row; NaN is a gap. */
  readonly values: ArrayLike<number>;
  /** The lowest and highest inside each row's bucket, drawn as a soft band behind the line. */
  readonly band?: { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> } | null;
  /** What is usual, with times of its own in epoch seconds; drawn as a quiet grey area behind everything. */
  readonly usual?: ChartUsual | null;
  readonly style: 'line' | 'area' | 'step' | 'stepArea' | 'bars';
  readonly dashed?: boolean;
  /** Uses the second scale, drawn at the right. */
  readonly right?: boolean;
  readonly format: (value: number) => string;
  /** The axis's format, when it differs. */
  readonly axisFormat?: (value: number) => string;
  /** Draws no line at zero, the usual value; the legend still shows it. */
  readonly hidesZero?: boolean;
  /** Drawn but not in the legend. */
  readonly quiet?: boolean;
};

export type ChartUsual = {
  readonly t: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
};

/** The filled area between two series. */
export type ChartGround = { readonly upper: string; readonly lower: string; readonly color: string };
/** A tinted stretch of time, such as "at maximum". */
export type ChartSpan = { readonly from: number; readonly to: number; readonly color: string };
export type ChartRange = { readonly from: number; readonly to: number };

export type ChartMark = {
  readonly key: string;
  readonly at: number;
  readonly color: string;
  readonly shape: 'circle' | 'square' | 'triangle' | 'diamond';
  readonly text: string;
};

/** Pixels kept free on both sides, so that stacked charts line up. */
export const gutters = { left: 48, right: 48 };
/** The height of a time axis, in pixels. */
export const timeAxis = 20;
