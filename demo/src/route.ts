import { shallowReadonly, shallowRef } from 'vue'
import { parseSubject, type Subject } from './explorer/subject'

/** The devnode's network. */
export const NETWORK = 'simnet'

/** The current page, stored in the URL's hash. */
export type Route = { readonly page: 'live' | 'wallet' } | { readonly page: 'explorer'; readonly subject: Subject }

/** Parses `#/explorer/block/5f…`; the text is validated as in the search box. */
export function readRoute(hash: string): Route {
  const [page, kind = '', text = ''] = hash.replace(/^#\/?/, '').split('/').map(decode)
  if (page === 'wallet') return { page }
  if (page !== 'explorer') return { page: 'live' }
  const subject = parseSubject(text === '' ? kind : text, NETWORK)
  const isExplicit = kind === 'transaction' || kind === 'block'
  return { page, subject: subject.kind === 'hash' && isExplicit ? { kind, text: subject.text } : subject }
}

/** The link to a subject of the explorer. */
export function toHref(subject: Subject): string {
  if (subject.kind === 'network') return '#/explorer'
  const isHash = subject.kind === 'transaction' || subject.kind === 'block'
  return `#/explorer/${isHash ? `${subject.kind}/` : ''}${encodeURIComponent(subject.text)}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

const current = shallowRef(readRoute(location.hash))
addEventListener('hashchange', () => (current.value = readRoute(location.hash)))

export const route = shallowReadonly(current)

/** The current page of a list, from 0, stored in the history entry. */
export function savedPage(): number {
  const state: unknown = history.state
  const page = typeof state === 'object' && state !== null && 'page' in state ? Number(state.page) : 0
  return Number.isSafeInteger(page) && page > 0 ? page : 0
}

export const savePage = (page: number): void => history.replaceState({ page }, '')

/** Scrolls a new history entry to the top; the browser restores the position of an earlier one. */
export function beginVisit(): void {
  if (history.state !== null) return
  savePage(0)
  scrollTo({ top: 0 })
}

/** Navigates to a subject; `replace` replaces the history entry. */
export function show(subject: Subject, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = toHref(subject)
  else location.replace(toHref(subject))
}
