import { throwValue } from '../extension-calls.js'
import {
  PROMPTING_METHODS,
  type PromptingMethod,
  READ_METHODS,
  type ReadMethod,
  type Approve,
  changeNetwork,
} from './methods.js'
import { noWallet, unauthorized, siteAccessOf, type Kasware } from './extension.js'
import type { PageWindow } from '../page.js'
import type { FakeStorage } from '../account-state.js'

const readMethods: Readonly<Record<string, ReadMethod>> = READ_METHODS
const promptingMethods: Readonly<Record<string, PromptingMethod>> = PROMPTING_METHODS

/**
 * Handles a call from `origin`, which is null before the check-in. Reads return at once; other methods first unlock the
 * wallet and request permission.
 */
export async function handleCall(
  kasware: Kasware,
  origin: string | null,
  approve: Approve,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const { accountState } = kasware
  if (accountState.state.status === 'empty') return throwValue(noWallet)
  const readMethod = readMethods[method]
  if (readMethod !== undefined) return readMethod(kasware, siteAccessOf(accountState, origin), params)
  const promptingMethod = promptingMethods[method]
  if (promptingMethod === undefined) return throwValue(noHandlerError(method))
  await unlock(kasware, approve)
  await requirePermission(kasware, origin, approve)
  return promptingMethod(kasware, approve, params)
}

async function unlock({ accountState }: Kasware, approve: Approve): Promise<void> {
  if (accountState.state.status !== 'locked') return
  await approve('unlock')
  accountState.update({ status: 'unlocked' })
}

async function requirePermission({ accountState }: Kasware, origin: string | null, approve: Approve): Promise<void> {
  if (siteAccessOf(accountState, origin) === 'permitted') return
  await approve('connect', origin)
  if (origin === null) return throwValue(unauthorized) // called before the check-in: the approval has no site
  accountState.allow(origin)
}

const noHandlerError = (method: string): object => ({
  code: -32601,
  message: `method [${method}] doesn't has corresponding handler`,
  data: { method },
})

/** The site that KasWare assigns to a page. */
interface CheckIn {
  /** The page's origin after its check-in; before that the tab's previous site, or null. */
  readonly origin: string | null
}

interface CheckInOptions {
  /** Ms from the load event to the check-in. */
  readonly delay: number
  /** The site that was open in the tab before. */
  readonly previousSite: string | null
  /** The tab's storage: a reloaded page is already checked in. */
  readonly tab: FakeStorage
}

const KEY = 'fake-wallet-a:checked-in'

/** KasWare receives a tab's origin only after the load event, and uses the previous one until then. */
export function createCheckIn(page: PageWindow, { delay, previousSite, tab }: CheckInOptions): CheckIn {
  const { origin } = page.location
  let checkedIn = tab.getItem(KEY) === origin ? origin : previousSite
  const checkIn = (): void => {
    checkedIn = origin
    tab.setItem(KEY, origin)
  }
  const schedule = (): void => {
    setTimeout(checkIn, delay)
  }
  if (page.document.readyState !== 'complete') page.addEventListener('load', schedule)
  else if (delay === 0) checkIn()
  else schedule()
  return {
    get origin() {
      return checkedIn
    },
  }
}

/** The user's actions in the wallet's own window, and external changes. */
export interface WalletAControls {
  lock(): void
  /** Emits no event. */
  unlock(): void
  selectAccount(index: number): void
  /** `network` is an id, for example `testnet-10`. */
  switchNetwork(network: string): void
  /** Revokes the permission of this page's site. */
  forgetSite(): void
  /** In sompi; emits no event. */
  setBalance(confirmed: bigint, unconfirmed?: bigint): void
}

export function createControls(kasware: Kasware, { location: { origin } }: PageWindow): WalletAControls {
  const { accountState, notifier } = kasware
  return {
    lock: () => {
      accountState.update({ status: 'locked' })
      notifier.accounts([])
    },
    unlock: () => accountState.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      accountState.update({ account })
      if (siteAccessOf(accountState, origin) === 'permitted') notifier.accounts([accountState.address])
    },
    switchNetwork: (network) => changeNetwork(kasware, network),
    forgetSite: () => {
      notifier.accounts([])
      accountState.revoke(origin)
    },
    setBalance: (confirmed, unconfirmed = 0n) => {
      kasware.balance = { confirmed, unconfirmed }
    },
  }
}

/**
 * Applies changes from other tabs, received through the shared storage, and emits them. Does not store them again: a
 * browser's tabs read copies of the storage, so that a late copy would overwrite a newer change of the other tab.
 */
export function syncOtherTabs({ accountState, notifier }: Kasware, page: PageWindow): void {
  const { origin } = page.location
  page.addEventListener('storage', () => {
    const next = accountState.stored()
    if (next === null) return
    const isPermitted = siteAccessOf({ state: next }, origin) === 'permitted'
    // emitted before the permission is revoked
    if (!isPermitted && siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.adopt(next)
    notifier.network()
    if (isPermitted) notifier.accounts([accountState.address])
  })
}
