import type { CheckStatus, Diagnosis, DiagnosisCheck } from '../operations/diagnosis/report.js'

/** The report as a table, a check a line, with detail and remedy below it; skipped checks are one line at the end. */
export function formatDiagnosis({ ok, checks }: Diagnosis): string {
  const skipped = checks.filter(({ status }) => status === 'skipped').map(({ id }) => id)
  const failures = checks.filter(({ status }) => status === 'failed').length
  return [
    ...checks.filter(({ status }) => status !== 'skipped').flatMap(formatCheck),
    ...(skipped.length === 0 ? [] : [`skipped  ${skipped.join(', ')}`]),
    '',
    ok ? 'No check failed.' : `${failures} ${failures === 1 ? 'check' : 'checks'} failed.`,
  ].join('\n')
}

const LABELS: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  failed: 'FAILED',
  skipped: 'skipped',
}

function formatCheck({ id, status, summary, detail, remedy }: DiagnosisCheck): string[] {
  const below = (text: string): string => `${' '.repeat(25)}${text}`
  return [
    `${LABELS[status].padEnd(8)} ${id.padEnd(15)} ${summary}`,
    ...(detail === '' || status === 'ok' ? [] : [below(detail)]),
    ...(remedy === null ? [] : [below(`→ ${remedy}`)]),
  ]
}
