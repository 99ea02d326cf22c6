/** The head of the table. */
export const HEAD = ['| what | against | ratio | goal | detail |  |', '| --- | --- | --- | --- | --- | --- |']

/** A row as a line of the table. */
export function lineOf({ what, against, ratio, goal, detail, met }) {
  const times = Number.isFinite(ratio) ? `${ratio.toPrecision(3)} ×` : '–'
  const mark = goal === null ? 'information' : met ? 'met' : 'missed'
  return `| ${what} | ${against} | ${times} | ${goal ?? '–'} | ${detail} | ${mark} |`
}

const keyOf = (line) => line.split(' | ').slice(0, 2).join('\n')

/**
 * A page with the rows of a run in the place of its table. A run of some benchmarks replaces its own rows, and adds new
 * ones at the end; one of all leaves no other row. Rows without a figure replace none.
 */
export function publish(page, rows, { isComplete }) {
  const lines = page.split('\n')
  const start = lines.indexOf(HEAD[0]) + HEAD.length
  if (start < HEAD.length) throw new Error('The page has no table of benchmarks')
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith('|'))
  const measured = rows.filter(({ ratio }) => Number.isFinite(ratio)).map(lineOf)
  const byKey = new Map(measured.map((line) => [keyOf(line), line]))
  const kept = lines.slice(start, end).filter((line) => !isComplete || byKey.has(keyOf(line)))
  const known = new Set(kept.map(keyOf))
  const table = [
    ...kept.map((line) => byKey.get(keyOf(line)) ?? line),
    ...measured.filter((line) => !known.has(keyOf(line))),
  ]
  return [...lines.slice(0, start), ...table, ...lines.slice(end)].join('\n')
}
