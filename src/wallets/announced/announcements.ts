import type { WalletInfo } from '../port.js'
import { type Provider, hasMethods, isProvider } from '../provider.js'
import { Observable, filter, fromEvent, merge } from 'rxjs'
import { memberOf } from '../to-wallet-error.js'
import type { Page, WalletEnvironment } from '../environment.js'

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
interface AnnouncementList {
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

function createAnnouncementList(): AnnouncementList {
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

/** The drafts of a standard (KIP-12, KCC-12, kaspa-wallet-standard) differ in the event's name only. */
const EVENTS = ['kaspa:provider', 'kaspa:announceProvider']
const REQUEST = 'kaspa:requestProvider'

/**
 * Kasperia announces itself by EIP-6963 only. Ethereum's wallets do so too: only a provider with Kaspa's methods
 * counts.
 */
const EIP_6963 = { event: 'eip6963:announceProvider', request: 'eip6963:requestProvider' }

/** Limits against a hostile page: characters of a name or id, characters of an icon. */
const LIMITS = { text: 256, icon: 1_000_000 }

/** Ms. From the limit on, announcements are read together, once per frame. */
const FRAME = 16

/**
 * The announced wallets, at most 50: requests announcements on subscription and adds later ones. Duplicates by id are
 * ignored, built-in wallets omitted. Emits changes only, and never completes.
 */
export const announcements$ = ({ page, platform }: WalletEnvironment): Observable<readonly Announcement[]> =>
  new Observable((subscriber) => {
    const list = createAnnouncementList()
    const waiting: unknown[] = []
    const add = (detail: unknown): boolean => {
      const announcement = readAnnouncement(detail)
      return announcement !== null && list.add(announcement)
    }
    const addWaiting = (): void => {
      const changes = waiting.splice(0).map(add)
      if (changes.includes(true)) subscriber.next(list.items())
    }
    subscriber.next(list.items())
    const announced$ = merge(
      ...EVENTS.map((name) => fromEvent<CustomEvent<unknown>>(page, name)),
      kaspaProviders$(page),
    )
    subscriber.add(
      announced$.subscribe(({ detail }) => {
        if (list.state() === 'final') return
        if (waiting.push(detail) > 1) return // the pass of this frame reads it
        if (list.state() === 'open') addWaiting()
        else subscriber.add(platform.scheduler.schedule(addWaiting, FRAME))
      }),
    )
    page.dispatchEvent(new Event(EIP_6963.request))
    page.dispatchEvent(new Event(REQUEST)) // after the subscription: wallets announce themselves synchronously
  })

/** Announcements by EIP-6963 of providers with Kaspa's methods, those of KasWare. */
const kaspaProviders$ = (page: Page): Observable<CustomEvent<unknown>> =>
  fromEvent<CustomEvent<unknown>>(page, EIP_6963.event).pipe(
    filter(({ detail }) => {
      const provider = isProvider(detail) ? memberOf(detail, 'provider') : undefined
      return isProvider(provider) && hasMethods(provider, 'requestAccounts', 'sendKaspa')
    }),
  )

/** Null for an invalid announcement: any script in the page can dispatch these events. */
function readAnnouncement(detail: unknown): Announcement | null {
  if (!isProvider(detail)) return null
  const [info, provider] = [memberOf(detail, 'info'), memberOf(detail, 'provider')]
  if (!isProvider(info) || !isProvider(provider)) return null
  const rdns = domainOf(info)
  const name = nameOf(info, rdns)
  const id = rdns ?? textOf(info, 'id') ?? textOf(info, 'uuid') ?? name
  if (name === null || id === null || isKnownWallet({ name, rdns })) return null
  const methods = memberOf(info, 'methods')
  const announced = { info: { id: `announced:${id}`, name, icon: iconOf(info), rdns }, provider }
  return Array.isArray(methods) ? { ...announced, methods } : announced
}

/** A name in one script; another one is replaced by the domain. Null if there is none. */
function nameOf(info: Provider, rdns: string | null): string | null {
  const name = textOf(info, 'name')
  return name !== null && isMixedScript(name) ? rdns : name
}

/** The domain in reverse order. Null if it has characters that domains do not have. */
function domainOf(info: Provider): string | null {
  const rdns = textOf(info, 'rdns')
  return rdns !== null && /^[a-z0-9._-]+$/i.test(rdns) ? rdns : null
}

function textOf(info: Provider, field: string): string | null {
  const text = memberOf(info, field)
  if (typeof text !== 'string' || text.length > LIMITS.text) return null
  const shown = normalizeText(text)
  return shown === '' ? null : shown
}

/** Data URIs only: a remote icon would disclose the user to its server. */
function iconOf(info: Provider): string | null {
  const icon = memberOf(info, 'icon')
  return typeof icon === 'string' && /^data:image\//i.test(icon) && icon.length <= LIMITS.icon ? icon : null
}

/** Control characters, zero-width and bidirectional ones included: they hide or reorder other characters. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Scripts that share similar letters; one name uses one of them. */
const SCRIPTS: readonly RegExp[] = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Scripts that are written together with Latin, without similar letters. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

/** Latin letters of phonetic alphabets, which NFKC keeps: small capitals and others that look like plain letters. */
const PHONETIC = /[\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u

/** A text from the page as it is shown: NFKC, without invisible characters, single spaces. */
const normalizeText = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').replace(/\s+/gu, ' ').trim()

/**
 * Whether a name has letters of several scripts, such as Latin with one Cyrillic letter that looks the same, or
 * phonetic ones.
 */
function isMixedScript(name: string): boolean {
  const letters = Array.from(name).filter((character) => /\p{L}/u.test(character) && isOfOneScript(character))
  return PHONETIC.test(name) || new Set(letters.map(scriptOf)).size > 1
}

/** Letters common to several scripts and those of East Asia are compatible with every script. */
const isOfOneScript = (letter: string): boolean => !EAST_ASIAN.test(letter) && !/\p{Script=Common}/u.test(letter)

/** The index of a letter's script; all remaining scripts count as one. */
const scriptOf = (letter: string): number => SCRIPTS.findIndex((script) => script.test(letter))

/** The name for comparison: lower case, letters and digits only, without accents and a trailing "wallet". */
const toComparableName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(wallet|extension)$/, '')

/** Names and domains of the built-in wallets. No announcement can take them. */
const KNOWN_NAMES: readonly string[] = ['kasware', 'kastle']
const KNOWN_DOMAINS: readonly string[] = ['xyz.kasware', 'cc.kastle']

/**
 * Whether an announcement has the name or domain of a built-in wallet. That wallet is found at its property of
 * `window`; a second entry would be a duplicate, or an impostor.
 */
const isKnownWallet = ({ name, rdns }: Pick<WalletInfo, 'name' | 'rdns'>): boolean =>
  KNOWN_NAMES.includes(toComparableName(name)) ||
  KNOWN_DOMAINS.some((domain) => `${rdns ?? ''}.`.toLowerCase().startsWith(`${domain}.`))
