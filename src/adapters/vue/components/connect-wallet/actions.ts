import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import { hasClipboard, writeToClipboard, type CopyOutcome } from './clipboard.js'
import type { DialogTexts } from './texts.js'
import type { WalletOption } from './wallet-option.js'

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

export interface WalletActionsDeps {
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
