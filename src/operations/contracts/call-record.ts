import { fromHex, toHex } from '../../model/hex.js'
import { decodeAddress } from '../../model/address.js'
import { placeholderSignature } from '../../model/sighash.js'
import type { SignatureOf } from '../../model/contracts/value-codec.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { ContractSpend } from './contract-spend.js'
import type { PlacedCall } from './place-calls.js'

/** What a later process needs of a call to sign it, and to know what follows. */
export function toCallRecord({ call, states, args, state }: PlacedCall): SerializedCall {
  const { covenantId, entry, target, options } = call
  const script: ContractSpend['script'] = (sign) =>
    target.contract.signatureScript(state as never, entry, args as never, sign)
  return {
    covenantId,
    entry,
    signatures: placeholdersIn(script),
    redeemScripts: states.map((next) => target.contract.redeemScript(next as never)),
    computeBudget: options.computeBudget,
  }
}

/** Where a signature script has placeholders: found by the bytes that change with each. */
function placeholdersIn(script: ContractSpend['script']): SerializedCall['signatures'] {
  const addresses: string[] = []
  const note: SignatureOf = (address) => {
    addresses.push(address)
    return placeholderOf(address)
  }
  const plain = fromHex(script(note))
  return addresses.map((address, position) => {
    let signed = 0
    const inverted = fromHex(script((of) => (signed++ === position ? invert(placeholderOf(of)) : placeholderOf(of))))
    return { at: plain.findIndex((byte, at) => byte !== inverted[at]), address }
  })
}

export const placeholderOf = (address: string): Uint8Array<ArrayBuffer> =>
  placeholderSignature(decodeAddress(address).payload)

/** Whether a signature script has one of the placeholders of its record: then nothing has signed it. */
export const hasPlaceholder = (script: string, record: SerializedCall | undefined): boolean =>
  record?.signatures.some((one) => isPlaceholder(script, one)) === true

/** Whether a signature script has a placeholder where a record says so. */
export const isPlaceholder = (script: string, { at, address }: SerializedCall['signatures'][number]): boolean =>
  script.startsWith(toHex(placeholderOf(address)), 2 * at)

const invert = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes, (byte) => byte ^ 0xff)
