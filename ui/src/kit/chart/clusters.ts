/** Owns drawing many marks in little room: neighbours too close to tell apart become one, the worst in front. */
import type { ChartMark, ChartRange } from './types';

export type Cluster = {
  readonly key: string;
  readonly share: number;
  readonly front: ChartMark;
  readonly marks: readonly ChartMark[];
};

const weight: Record<ChartMark['shape'], number> = { diamond: 0, circle: 1, triangle: 2, square: 3 };

/** Marks inside the range, at their share 0..1 of it; `leastGap` is the share under which two become one. */
export function cluster(marks: readonly ChartMark[], range: ChartRange, leastGap: number): Cluster[] {
  const span = range.toMs - range.fromMs;
  const inside = marks
    .filter((mark) => mark.atMs >= range.fromMs && mark.atMs <= range.toMs)
    .sort((a, b) => a.atMs - b.atMs);
  const clusters: Cluster[] = [];
  for (const mark of inside) {
    const share = span > 0 ? (mark.atMs - range.fromMs) / span : 0;
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
