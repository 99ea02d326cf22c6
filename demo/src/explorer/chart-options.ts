import type UPlot from 'uplot'
import { groupDigits } from '../shared/format'

export interface ChartStyle {
  readonly kind: 'line' | 'bars'
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Read at each draw, because the theme may change. */
  readonly line: () => string
  readonly text: () => string
}

const DAY = 86_400

/** Integer tick increments for counts. */
const INTEGER_STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power))
  .flat()
  .filter(Number.isInteger)

/** Formats a value with at most two decimals. */
export const toFigure = (value: number): string => groupDigits(String(Math.round(value * 100) / 100))

/** Compact format for axis labels: `100M`. */
const toShortFigure = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a time given in Unix milliseconds. */
export const toTime = (time: number): string =>
  new Date(time).toLocaleString('en-GB', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

/** The distance between points in seconds; one day for a single point. */
const stepOf = ({ data: [times] }: UPlot): number => (times[1] ?? (times[0] ?? 0) + DAY) - (times[0] ?? 0)

const toTick =
  (step: number) =>
  (time: number): string =>
    new Date(time * 1000).toLocaleString(
      'en-GB',
      step < DAY ? { hour: '2-digit', minute: '2-digit' } : { month: 'short', day: 'numeric' },
    )

/** uPlot options of a time series, with a margin of half a step beside the first and the last bar. */
export function toOptions({ paths }: typeof UPlot, { kind, width, height, line, text }: ChartStyle): UPlot.Options {
  const bars = kind === 'bars' ? paths.bars?.({ size: [0.7, 24] }) : undefined
  const axis = { stroke: text, grid: { show: false }, ticks: { show: false } }
  const marginOf = (chart: UPlot): number => (bars || chart.data[0].length < 2 ? stepOf(chart) / 2 : 0)
  return {
    width,
    height,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (chart, min, max) => [min - marginOf(chart), max + marginOf(chart)] },
      y: { range: (_, __, max) => [0, Math.max(max * 1.1, Number.MIN_VALUE)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        splits: (chart, _, min, max, increment) => ticksOf(min, max, Math.max(increment, stepOf(chart))),
        values: (chart, ticks) => ticks.map(toTick(stepOf(chart))),
      },
      {
        ...axis,
        size: 56,
        space: 24,
        ...(bars && { incrs: INTEGER_STEPS }),
        values: (_, ticks) => ticks.map(toShortFigure),
      },
    ],
    series: [
      {},
      {
        stroke: line,
        width: 1.5,
        points: { show: (chart) => !bars && chart.data[0].length < 2 },
        ...(bars && { paths: bars, fill: line }),
      },
    ],
  }
}

/** Multiples of an increment, all in seconds. */
function ticksOf(min: number, max: number, increment: number): number[] {
  const first = Math.ceil(min / increment)
  return Array.from({ length: Math.floor(max / increment) - first + 1 }, (_, index) => (first + index) * increment)
}
