import { shown } from '../../errors/shown.js'
import type { CheckId, DiagnosisCheck } from './records.js'

/** The results of a check. Texts pass `shown` here, so that no check can forget it. */

export const passed = (id: CheckId, summary: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'ok', summary, detail, remedy: null })

export const warning = (id: CheckId, summary: string, remedy: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'warning', summary, detail, remedy })

export const failed = (id: CheckId, summary: string, remedy: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'failed', summary, detail, remedy })

export const skipped = (id: CheckId, reason: string): DiagnosisCheck =>
  toCheck({ id, status: 'skipped', summary: reason, detail: '', remedy: null })

const toCheck = (check: DiagnosisCheck): DiagnosisCheck => ({
  ...check,
  summary: shown(check.summary),
  detail: shown(check.detail),
  remedy: check.remedy === null ? null : shown(check.remedy),
})

/** The messages of an error and its causes. */
export function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let cause = error; cause instanceof Error && words.length < 8; cause = cause.cause) {
    if (!words.includes(cause.message)) words.push(cause.message)
  }
  return words.join(': ')
}
