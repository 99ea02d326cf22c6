import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { DialogTexts } from './texts.js'
import type { WalletOption } from './wallet-option.js'

/** What became of a text that was to be copied. */
export type CopyOutcome = 'copied' | 'refused'

/** What a person can do in the dialog. Nothing here rejects: what goes wrong stands in the wallet's `error`. */
export interface WalletActions {
  readonly connect: (target: WalletOption['target']) => void
  /** Gives up what is asked of the wallet. */
  readonly cancel: () => void
  readonly switchNetwork: (network: ChainNetwork) => void
  readonly disconnect: () => void
  /** Copies the address; null where the browser has no clipboard for this page. */
  readonly copy: ((address: string) => Promise<CopyOutcome>) | null
  readonly close: () => void
}

export interface WalletActionsDeps {
  readonly wallet: UseWalletReturn
  /** Whether the wallet is on another network than it should. */
  readonly isElsewhere: () => boolean
  readonly texts: () => DialogTexts
  /** Has a sentence read out. */
  readonly say: (sentence: string) => void
  readonly close: () => void
}

export function createActions({ wallet, isElsewhere, texts, say, close }: WalletActionsDeps): WalletActions {
  const connected = (): void => {
    say(texts().connectedTo(wallet.wallet.value?.name ?? ''))
    if (!isElsewhere()) close()
  }
  const copy = async (address: string): Promise<CopyOutcome> => {
    const outcome = await writeToClipboard(address)
    say(outcome === 'copied' ? texts().copied : texts().notCopied)
    return outcome
  }
  return {
    connect: (target) => void wallet.connect(target).then(connected, shown),
    cancel: () => void wallet.disconnect(),
    switchNetwork: (network) => void wallet.switchNetwork(network).catch(shown),
    disconnect: () => {
      void wallet.disconnect().then(() => say(texts().disconnected))
      close()
    },
    copy: hasClipboard() ? copy : null,
    close,
  }
}

/** Browsers offer it to pages of https and of this machine only. */
const hasClipboard = (): boolean => 'clipboard' in navigator

/** A page in a frame may not be allowed to, and a user can forbid it. */
const writeToClipboard = (text: string): Promise<CopyOutcome> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'refused',
  )

/** What went wrong is in the wallet's `error`, which the dialog shows. */
const shown = (): void => undefined
