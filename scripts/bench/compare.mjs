/** Ratios that differ by less count as equal: two runs of the same commit on a hosted machine do. */
const TOLERANCE = 1.15

const keyOf = ({ what, against }) => `${what}\n${against}`

/** More is better where the goal is a lower bound. */
const isLowerBound = ({ goal }) => /^[≥>]/.test(goal)

const markOf = (before, now, change) => {
  if (before === undefined) return 'new'
  if (now === undefined) return 'removed'
  if (before.met && !now.met) return 'missed now'
  if (!before.met && now.met) return 'met now'
  if (change === undefined) return '–'
  const worse = isLowerBound(now) ? 1 / change : change
  if (worse > TOLERANCE) return 'worse'
  return worse < 1 / TOLERANCE ? 'better' : '='
}

/**
 * Two runs of the benchmarks, row by row: the ratios of both (undefined where there is none), `change`, which is the
 * later divided by the earlier, and a mark. Rows of the later run in its order, then those that it no longer has.
 */
export function compareRows(before, now) {
  const earlier = new Map(before.map((row) => [keyOf(row), row]))
  const later = new Map(now.map((row) => [keyOf(row), row]))
  return [...new Set([...later.keys(), ...earlier.keys()])].map((key) => {
    const [old, row] = [earlier.get(key), later.get(key)]
    const [first, second] = [old, row].map((one) => (Number.isFinite(one?.ratio) ? one.ratio : undefined))
    const change = first && second ? second / first : undefined
    const { what, against } = row ?? old
    return { what, against, before: first, now: second, change, mark: markOf(old, row, change) }
  })
}

const format = (ratio) => (ratio === undefined ? '–' : `${ratio.toPrecision(3)} ×`)

/** The comparison as lines of a table. */
export const comparisonTable = (compared) => [
  '| what | against | before | now | now / before | |',
  '| --- | --- | --- | --- | --- | --- |',
  ...compared.map(
    ({ what, against, before, now, change, mark }) =>
      `| ${what} | ${against} | ${format(before)} | ${format(now)} | ${format(change)} | ${mark} |`,
  ),
]
