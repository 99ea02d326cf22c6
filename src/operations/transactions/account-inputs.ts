import { invalidArgument } from '../../errors/chain-error.js'
import { toAddress } from '../../model/address.js'
import { redeemScriptOf, spendingBytes } from '../../model/cosigning/redeem-script.js'
import { spendingOf, type AccountSpending } from '../../model/cosigning/spending-account.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import type { InputCost } from './plan/template.js'
import type { PlannedSettings } from './records.js'
import {
  FOREIGN_SCRIPT,
  INVALID_SCRIPT,
  OTHER_SCRIPT,
  SPENDABLE_SCRIPT,
  type ClassifyScripts,
} from './script-classes.js'

/** How a payment spends the outputs of an account of several signers. */
export interface AccountInputs {
  /**
   * The number of keys, in every input: the sighash commits to it before it is known who signs, and nodes charge each
   * key that a signature is tried with.
   */
  readonly sigOpCount: number
  /** With all signatures of the threshold and the redeem script. */
  readonly input: InputCost
  /** The script of the next change address of the own branch. Throws as `AccountSpending.nextChange`. */
  readonly changeScript: () => ScriptPublicKey
  /** Classes in which only scripts of the account are spendable. */
  readonly classifyBy: (classify: ClassifyScripts) => ClassifyScripts
  /** Throws `ChainError` (`invalid-argument`, `replaces`) where an output that must be spent is of others. */
  readonly requireOwn: (entries: readonly UtxoEntry[]) => void
}

/** Bytes of an input beside its signature script. */
const INPUT_BYTES = 52

/** How a payment spends the outputs of the account of its settings. Throws `ChainError` (`invalid-argument`). */
export function accountInputs({ account, ...settings }: PlannedSettings, network: ChainNetwork): AccountInputs {
  const spending = spendingOf(account)
  requireNetwork(spending, network)
  if (settings.spendBound === true) throw boundOutputs()
  const { value } = spending
  const keys = value.keys.length
  const bytes = INPUT_BYTES + scriptBytes(value)
  const { addressPrefix } = NETWORKS[network]
  const isOwn = ({ address, scriptPublicKey }: Pick<UtxoEntry, 'address' | 'scriptPublicKey'>): boolean =>
    spending.pathOf(address ?? toAddress(scriptPublicKey, addressPrefix) ?? '') !== undefined
  return {
    sigOpCount: keys,
    input: { bytes: BigInt(bytes), mass: BigInt(bytes + 1000 * keys) },
    changeScript: () => value.scriptPublicKey(spending.nextChange()),
    classifyBy: (classify) => (scripts) => {
      const classes = classify(scripts)
      return Uint8Array.from(scripts, (script, at) => classOf(classes[at], () => isOwn(script)))
    },
    requireOwn: (entries) => {
      if (!entries.every((entry) => isOwn(entry))) throw foreignInput()
    },
  }
}

function classOf(scriptClass: number | undefined, isOwn: () => boolean): number {
  if (scriptClass === INVALID_SCRIPT) return INVALID_SCRIPT
  if (scriptClass === SPENDABLE_SCRIPT) return OTHER_SCRIPT
  return isOwn() ? SPENDABLE_SCRIPT : FOREIGN_SCRIPT
}

/** The same for every path: keys of any values have the length of those that are derived. */
function scriptBytes({ threshold, keys, ecdsa }: AccountSpending['value']): number {
  const placeholders = keys.map(() => '00'.repeat(33))
  return spendingBytes(threshold, redeemScriptOf(threshold, placeholders, ecdsa))
}

function requireNetwork({ value }: AccountSpending, network: ChainNetwork): void {
  if (value.network === network) return
  throw invalidArgument(
    'account',
    `The account is of ${value.network}, and the app is on ${network}`,
    'Create the account again after switchNetwork().',
  )
}

const boundOutputs = () =>
  invalidArgument(
    'spendBound',
    'Outputs that a covenant binds are not spent for an account of several signers',
    'Other software for bundles aborts on them. Leave spendBound out.',
  )

const foreignInput = () =>
  invalidArgument(
    'replaces',
    'The payment to be replaced spends outputs that are not those of the account',
    'Replace it with what has planned it.',
  )
