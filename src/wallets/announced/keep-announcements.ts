import type { WalletInfo } from '../port.js'
import type { Provider } from '../provider.js'
import { toComparableName } from './display-name.js'

/** One wallet's announcement. */
export interface Announcement {
  readonly info: WalletInfo
  readonly provider: Provider
  /** What it names as its methods; undefined where it names none. */
  readonly methods?: readonly unknown[] | undefined
}

/** Announcements kept of one page. */
const MAX_ANNOUNCEMENTS = 50

/** An announcement with its name for comparison, and whether it has the name or provider of an earlier one. */
interface Kept {
  readonly announcement: Announcement
  readonly name: string
  readonly isDuplicate: boolean
}

/** The announcements of a page that are kept, by id, in their order. */
export interface AnnouncementList {
  readonly items: () => readonly Announcement[]
  /** `final`: every kept announcement has a domain and a name of its own, and no further one is added. */
  readonly state: () => 'open' | 'full' | 'final'
  /**
   * Adds an announcement with a new id. At the limit the newest duplicate makes place for it, else the newest one
   * without a domain, so that a page script cannot keep a real wallet out by announcing fifty of its own. Whether the
   * list changed. A refusal looks up id, provider and name; the list is read at most fifty times, once for each
   * announcement that is evicted.
   */
  readonly add: (announcement: Announcement) => boolean
}

export function createAnnouncementList(): AnnouncementList {
  const kept = new Map<string, Kept>()
  const names = new Set<string>()
  const providers = new Set<unknown>()
  let isFinal = false

  const isFull = (): boolean => kept.size >= MAX_ANNOUNCEMENTS
  function keep(entry: Kept): void {
    kept.set(entry.announcement.info.id, entry)
    names.add(entry.name)
    providers.add(entry.announcement.provider)
  }
  function evict(): void {
    const newestFirst = [...kept.values()].reverse()
    const evicted = newestFirst.find(({ isDuplicate }) => isDuplicate) ?? newestFirst.find(isWithoutDomain)
    isFinal = evicted === undefined
    if (evicted === undefined) return
    for (const known of [kept, names, providers]) known.clear()
    newestFirst
      .reverse()
      .filter((entry) => entry !== evicted)
      .forEach(keep)
  }

  return {
    items: () => Array.from(kept.values(), ({ announcement }) => announcement),
    state: () => (isFinal ? 'final' : isFull() ? 'full' : 'open'),
    add: (announcement) => {
      const { info, provider } = announcement
      if (kept.has(info.id) || (isFull() && info.rdns === null)) return false
      const name = toComparableName(info.name)
      const isDuplicate = providers.has(provider) || names.has(name)
      if (isFull() && !isDuplicate) evict()
      if (isFull()) return false
      keep({ announcement, name, isDuplicate })
      return true
    },
  }
}

const isWithoutDomain = ({ announcement }: Kept): boolean => announcement.info.rdns === null
