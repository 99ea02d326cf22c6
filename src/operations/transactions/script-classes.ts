import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { addressVersionOf, isValidAddress, toScriptPublicKey } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { AddressScript } from '../../model/utxo-columns/columns.js'

/** Spent with one signature. */
export const SPENDABLE_SCRIPT = 0
/** Not spendable with a key alone. */
export const FOREIGN_SCRIPT = 1
/** Spendable, but not by what the payment spends. */
export const OTHER_SCRIPT = 3
/** Not the script that the address encodes: a hostile node made the entry up. Never spent. */
export const INVALID_SCRIPT = 2

/** The class of each script of some columns. */
export type ScriptClasses = Uint8Array

/** Classifies the scripts of columns, once for the same columns. */
export type ClassifyScripts = (scripts: readonly AddressScript[]) => ScriptClasses

export function createScriptClasses(): ClassifyScripts {
  const known = new WeakMap<readonly AddressScript[], ScriptClasses>()
  return (scripts) => {
    const classes = known.get(scripts) ?? classify(scripts)
    known.set(scripts, classes)
    return classes
  }
}

/** Decodes each address once: scripts that a node made up may be many. */
function classify(scripts: readonly AddressScript[]): ScriptClasses {
  const encoded = new Map<string, string | undefined>()
  const scriptOf = (address: string): string | undefined => {
    if (!encoded.has(address))
      encoded.set(address, isValidAddress(address) ? toScriptPublicKey(address).script : undefined)
    return encoded.get(address)
  }
  return Uint8Array.from(scripts, ({ address, scriptPublicKey }) => {
    const { version, script } = scriptPublicKey
    if (address !== undefined && (version !== 0 || script !== scriptOf(address))) return INVALID_SCRIPT
    const kind = addressVersionOf(scriptPublicKey)
    return kind === 'PubKey' || kind === 'PubKeyECDSA' ? SPENDABLE_SCRIPT : FOREIGN_SCRIPT
  })
}

/** Whether an address, if there is one, is of a network. */
export const isOfNetwork = (address: string | undefined, network: ChainNetwork): boolean =>
  address === undefined || address.startsWith(`${NETWORKS[network].addressPrefix}:`)

export const otherNetwork = (argument: string, network: ChainNetwork): ChainError =>
  invalidArgument(
    argument,
    `The entry belongs to another network than ${network}`,
    'Track addresses of the network of the payment.',
  )
