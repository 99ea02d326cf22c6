import { ChainWalletError, type ChainWalletErrorCode, type WalletErrorDetails } from '../errors/wallet-error.js'
import { fieldOf, wordsOf } from './reading/words.js'

/** What a wallet's rejection means, by one of its codes or by its words: the first rule that fits. */
interface Rule {
  readonly code: ChainWalletErrorCode
  readonly codes?: readonly number[]
  readonly words?: RegExp
  readonly hint: string
}

const CREATE = 'Create an account in the wallet first.'
const CONNECT = 'Connect again: the wallet does not know this page, or not with the account that is selected there.'
const LOOK = 'Look for the transaction before paying again: it may have been sent.'

/** The drafts' numbers for a wallet that is cut off from all nodes, or from those of the network. */
const CUT_OFF = [4900, 4901]

/** The words are those of KasWare and Kastle; the numbers those of KasWare, and of the drafts for all wallets. */
const RULES: readonly Rule[] = [
  { code: 'not-connected', words: /at least one account|not initialized|no account found/i, hint: CREATE },
  { code: 'rejected', codes: [4001], words: /\buser (denied|rejected|cancel)/i, hint: 'The user said no.' },
  { code: 'not-connected', codes: [4100], words: /^host not connected/i, hint: CONNECT },
  { code: 'not-connected', codes: CUT_OFF, hint: 'The wallet has lost its node: try again when it is back.' },
  { code: 'busy', codes: [-32002], hint: "Answer the wallet's window first." },
  { code: 'unsupported', codes: [4200, -32601], hint: 'Update the wallet.' },
  { code: 'wrong-network', codes: [4902], hint: 'Choose the network in the wallet.' },
  { code: 'invalid-argument', codes: [-32602], hint: 'The wallet refuses what it was asked; its reason is the cause.' },
  { code: 'failed', words: /insufficient funds|no utxos/i, hint: 'There is too little money in the account.' },
  { code: 'failed', codes: [4300], hint: "Compound the wallet's coins first: the amount lies in too many of them." },
  { code: 'timeout', words: /^timeout$/i, hint: 'Reload the page: the wallet does not answer.' },
]

/**
 * A wallet whose road to its node broke, or that could not read the node's answer, cannot tell whether the transaction had
 * already passed. Of one that the node has already, an earlier try of the wallet's did.
 */
const LOST =
  /time(d )?[ -]?out|disconnected|connection (was )?(lost|closed|reset)|channel receive|no data in|deserializ(ing|ation)|already (in the|accepted)/i

/** The error of an operation that a wallet rejected. Of a payment without an answer nobody knows what became. */
export function toWalletError(operation: string, cause: unknown): ChainWalletError {
  if (cause instanceof ChainWalletError) return cause
  const details = classify(cause)
  const isLost = details.code !== 'rejected' && wordsOf(cause).some((words) => LOST.test(words))
  const isUnknown = operation === 'sendKaspa' && isLost
  return new ChainWalletError(operation, cause, isUnknown ? { code: 'unknown-outcome', hint: LOOK } : details)
}

/** Whether a wallet failed for want of its node: that says nothing of its accounts. */
export const hasLostNode = (error: unknown): boolean =>
  error instanceof ChainWalletError && CUT_OFF.some((code) => code === fieldOf(error.cause, 'code'))

function classify(cause: unknown): WalletErrorDetails {
  const [message = ''] = wordsOf(cause)
  const number = fieldOf(cause, 'code')
  if (fieldOf(cause, 'name') === 'ZodError') return { code: 'invalid-argument' }
  const rule = RULES.find(
    ({ codes = [], words }) => codes.some((code) => code === number) || words?.test(message) === true,
  )
  return rule ?? { code: 'failed' }
}

/** An answer that came, and cannot be read: it is the cause. With a payment the money may have moved. */
export function unreadable(operation: string, answer: unknown): ChainWalletError {
  return operation === 'sendKaspa'
    ? new ChainWalletError(operation, answer, { code: 'unknown-outcome', hint: LOOK })
    : new ChainWalletError(operation, answer, {
        code: 'failed',
        hint: 'The wallet gave an answer that makes no sense.',
      })
}
