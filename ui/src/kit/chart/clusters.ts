/** Owns merging marks that are too close to tell apart, the worst in front. */
import type { ChartMark, ChartRange } from './types';

export type Cluster = {
  readonly key: string;
  readonly share: number;
  readonly front: ChartMark;
  readonly marks: readonly ChartMark[];
};

const weight: Record<ChartMark['shape'], number> = { diamond: 0, circle: 1, triangle: 2, square: 3 };

/** Places the marks inside the range at their share (0..1) of it. Marks closer than `leastGap` are merged. */
export function cluster(marks: readonly ChartMark[], range: ChartRange, leastGap: number): Cluster[] {
  const span = range.to - range.from;
  const inside = marks
    .filter((mark) => mark.at >= range.from && mark.at <= range.to)
    .sort((a, b) => a.at - b.at);
  const clusters: Cluster[] = [];
  for (const mark of inside) {
    const share = span > 0 ? (mark.at - range.from) / span : 0;
    const last = clusters.at(-1);
    if (!last || share - last.share >= leastGap) {
      clusters.push({ key: mark.key, share, front: mark, marks: [mark] });
      continue;
    }
    const front = weight[mark.shape] > weight[last.front.shape] ? mark : last.front;
    clusters[clusters.length - 1] = { ...last, front, marks: [...last.marks, mark] };
  }
  return clusters;
}
