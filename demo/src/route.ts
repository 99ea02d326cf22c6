import { shallowReadonly, shallowRef } from 'vue'
import { readSubject, type Subject } from './explorer/subject'

/** The network of this page: its devnode's. */
export const NETWORK = 'simnet'

/** Where one is: written behind the `#` of the page's address, so that every place can be linked to. */
export type Route = { readonly page: 'live' | 'wallet' } | { readonly page: 'explorer'; readonly subject: Subject }

/** `#/explorer/block/5f…`. What is typed there by hand is judged as if it were typed into the box. */
export function readRoute(hash: string): Route {
  const [page, kind = '', text = ''] = hash.replace(/^#\/?/, '').split('/').map(decode)
  if (page === 'wallet') return { page }
  if (page !== 'explorer') return { page: 'live' }
  const subject = readSubject(text === '' ? kind : text, NETWORK)
  const isTold = kind === 'transaction' || kind === 'block'
  return { page, subject: subject.kind === 'hash' && isTold ? { kind, text: subject.text } : subject }
}

/** The link to what the explorer shows. */
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

/** Where one is now. */
export const route = shallowReadonly(current)

/** Which page of a list one is on, from 0. It belongs to this visit of the place: whoever comes back finds it again. */
export function keptPage(): number {
  const kept: unknown = history.state
  const page = typeof kept === 'object' && kept !== null && 'page' in kept ? Number(kept.page) : 0
  return Number.isSafeInteger(page) && page > 0 ? page : 0
}

export const keepPage = (page: number): void => history.replaceState({ page }, '')

/** A place that one goes to is seen from its top; one that one comes back to is scrolled by the browser. */
export function beginVisit(): void {
  if (history.state !== null) return
  keepPage(0)
  scrollTo({ top: 0 })
}

/** Goes to what the explorer shows; `replace` leaves no trace to come back to. */
export function show(subject: Subject, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = toHref(subject)
  else location.replace(toHref(subject))
}
