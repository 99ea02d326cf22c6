import { ChainError } from '../errors/chain-error.js'
import { toScriptKey } from '../model/utxo.js'
import type { PaymentCheck } from '../operations/transactions/transaction-operations.js'

/** Refuses payments, and change, to scripts of contracts: they would be lost. `scripts`: by their keys. */
export const createContractCheck =
  (scripts: { has(script: string): boolean }): PaymentCheck =>
  ({ outputs, change }) => {
    const at = outputs.findIndex(({ scriptPublicKey }) => scripts.has(toScriptKey(scriptPublicKey)))
    if (at >= 0) throw contractAddress(`outputs[${at}].address`)
    if (scripts.has(toScriptKey(change))) throw contractAddress('changeAddress')
  }

/** The error of an ordinary payment to a contract. */
export const contractAddress = (argument: string): ChainError<'contract-address'> =>
  new ChainError(`"${argument}" is the address of a contract`, {
    code: 'contract-address',
    argument,
    hint: 'An output there without the covenant id is lost for contracts that check their continuation: call the contract.',
  })
