import type { WalletOperation, WalletStatus } from '../../../../streams/wallet/wallet-session.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { WalletInfo, WalletProvider, ReportedBalance } from '../../../../wallets/port.js'
import { map } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import { useStream } from '../../bridges/stream-refs.js'
import { useBalance } from '../../composables/useBalance.js'
import { useCore } from '../../plugin/core.js'
import type { ChainNetwork } from '../../../../model/network.js'
import { hasClipboard, writeToClipboard, type CopyOutcome } from './CopyButton.js'
import type { DialogTexts } from './texts.js'

/** The views of the dialog. */
export type DialogView = 'choose' | 'connecting' | 'account' | 'locked' | 'contradictory' | 'disconnected'

const VIEWS: Readonly<Record<WalletStatus, DialogView>> = {
  disconnected: 'choose',
  connecting: 'connecting',
  connected: 'account',
  locked: 'locked',
  'wrong-network': 'contradictory',
  'disconnected-by-wallet': 'disconnected',
}

/**
 * The view of an open prompt has priority over the status; that of a network switch is part of the warning about the
 * wrong network, where there is one.
 */
export function toView(status: WalletStatus, pending: WalletOperation | null, isOnWrongNetwork: boolean): DialogView {
  if (pending === null || (pending === 'switchNetwork' && isOnWrongNetwork)) return VIEWS[status]
  return 'connecting'
}

/** An entry of the wallet list, installed or not. */
export interface WalletOption {
  readonly id: string
  readonly name: string
  /** A `data:` URI; null if the wallet provides none. */
  readonly icon: string | null
  readonly presence: 'installed' | 'missing'
  /** URL of the download page; null for announced wallets, which are installed. */
  readonly home: string | null
  /** The argument of `connect`. */
  readonly target: WalletProvider | WalletInfo
}

const NAMED_WALLETS = [
  { id: 'walletA', name: 'KasWare', home: 'https://kasware.xyz' },
  { id: 'walletB', name: 'Kastle', home: 'https://kastle.cc' },
] as const

type DetectedWallets = Pick<UseWalletReturn, 'isWalletAInstalled' | 'isWalletBInstalled' | 'discovered'>

/**
 * The entries of the wallet list, installed wallets first. Omits an announced wallet with the name of an installed
 * built-in one: it is the same wallet, or impersonates it.
 */
export function toOptions({
  isWalletAInstalled,
  isWalletBInstalled,
  discovered,
}: DetectedWallets): readonly WalletOption[] {
  const installed = { walletA: isWalletAInstalled.value, walletB: isWalletBInstalled.value }
  const named = NAMED_WALLETS.map((wallet): WalletOption => ({
    ...wallet,
    icon: null,
    presence: installed[wallet.id] ? 'installed' : 'missing',
    target: wallet.id,
  }))
  const [present, missing] = [named.filter(isInstalled), named.filter((option) => !isInstalled(option))]
  const announced = discovered.value
    .map((wallet): WalletOption => ({ ...wallet, presence: 'installed', home: null, target: wallet }))
    .filter(({ name }) => present.every((other) => other.name !== name.trim()))
  return [...present, ...announced, ...missing]
}

const isInstalled = ({ presence }: WalletOption): boolean => presence === 'installed'

/**
 * The balance of the wallet's address: tracked where the page is connected to a node of the wallet's network, else what
 * the wallet reports; null if unknown. Opens no connection.
 */
export function useShownBalance(wallet: UseWalletReturn): ComputedRef<ReportedBalance | null> {
  const core = useCore('ConnectWallet')
  const network = useStream(core.network$, core.options.network)
  const status = useStream(core.connection.state$.pipe(map((state) => state.status)), 'disconnected')
  const address = computed(() => {
    const isTrackable = status.value === 'connected' && wallet.network.value === network.value
    return isTrackable ? wallet.address.value : null
  })
  const { balance, freshness } = useBalance(address)
  const reported = computed(() => {
    const total = wallet.reportedBalance.value
    return wallet.balance.value ?? (total === null ? null : { total })
  })
  return computed(() => {
    if (address.value === null || freshness.value !== 'fresh') return reported.value
    const { mature, unconfirmed, immature, total } = balance.value
    return { confirmed: mature, unconfirmed: unconfirmed + immature, total }
  })
}

/** User actions of the dialog. They never reject; failures are in the wallet's `error`. */
export interface WalletActions {
  readonly connect: (target: WalletOption['target']) => void
  /** Aborts the pending prompt; a connected wallet stays connected. */
  readonly abort: () => void
  /** Disconnects without closing the dialog, to choose another wallet. */
  readonly forget: () => void
  readonly switchNetwork: (network: ChainNetwork) => void
  readonly disconnect: () => void
  /** Copies the address; null if the page has no clipboard access. */
  readonly copy: ((address: string) => Promise<CopyOutcome>) | null
  readonly close: () => void
}

interface WalletActionsDeps {
  readonly wallet: UseWalletReturn
  /** Whether the wallet is on another network than expected. */
  readonly isOnWrongNetwork: () => boolean
  readonly texts: () => DialogTexts
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
  readonly close: () => void
}

export function createActions({ wallet, isOnWrongNetwork, texts, announce, close }: WalletActionsDeps): WalletActions {
  const onConnected = (): void => {
    announce(texts().connectedTo(wallet.wallet.value?.name ?? ''))
    if (!isOnWrongNetwork()) close()
  }
  const copy = async (address: string): Promise<CopyOutcome> => {
    const outcome = await writeToClipboard(address)
    announce(outcome === 'copied' ? texts().copied : texts().notCopied)
    return outcome
  }
  return {
    connect: (target) => void wallet.connect(target).then(onConnected, ignoreError),
    abort: wallet.abort,
    forget: () => void wallet.disconnect(),
    switchNetwork: (network) => void wallet.switchNetwork(network).catch(ignoreError),
    disconnect: () => {
      void wallet.disconnect().then(() => announce(texts().disconnected))
      close()
    },
    copy: hasClipboard() ? copy : null,
    close,
  }
}

/** The dialog shows the error from the wallet's `error`. */
const ignoreError = (): void => undefined
