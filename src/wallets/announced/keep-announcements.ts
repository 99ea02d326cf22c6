import type { Announcement } from './announcements.js'
import { toComparableName } from './display-name.js'

/** Announcements kept of one page. */
const MAX_ANNOUNCEMENTS = 50

/**
 * Adds an announcement with a new id. At the limit the newest duplicate makes place for it, else the newest one without
 * a domain, so that a page script cannot keep a real wallet out by announcing fifty of its own. Returns the same list if
 * the announcement is refused.
 */
export function keepAnnouncement(known: readonly Announcement[], next: Announcement): readonly Announcement[] {
  if (known.some(({ info }) => info.id === next.info.id)) return known
  if (known.length < MAX_ANNOUNCEMENTS) return [...known, next]
  if (next.info.rdns === null || isDuplicate(next, known)) return known
  const evicted = findEvictable(known)
  return evicted === -1 ? known : [...known.filter((_, index) => index !== evicted), next]
}

function findEvictable(known: readonly Announcement[]): number {
  const duplicate = lastIndexOf(known, (announcement, index) => isDuplicate(announcement, known.slice(0, index)))
  return duplicate === -1 ? lastIndexOf(known, ({ info }) => info.rdns === null) : duplicate
}

const lastIndexOf = <T>(items: readonly T[], matches: (item: T, index: number) => boolean): number =>
  items.map(matches).lastIndexOf(true)

/** The same provider or name under another id. */
const isDuplicate = (announcement: Announcement, others: readonly Announcement[]): boolean =>
  others.some(
    ({ info, provider }) =>
      provider === announcement.provider || toComparableName(info.name) === toComparableName(announcement.info.name),
  )
