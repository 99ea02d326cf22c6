import { invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../hex.js'
import type { Transaction, TransactionInput, TransactionOutput } from '../transaction.js'

/**
 * Throws `ChainError` (`invalid-argument`) that names the first field without the form that ids and messages need: from
 * JSON, or from code without types, any value may be there.
 */
export function requireFields(transaction: Transaction, argument: string): void {
  const { version, lockTime, subnetworkId, gas, payload, mass, inputs, outputs } = transaction
  const fields = [
    [isUint(version, 16), 'version'],
    [isU64(lockTime), 'lockTime'],
    [isAnyHex(subnetworkId, 20), 'subnetworkId'],
    [isU64(gas), 'gas'],
    [isAnyHex(payload), 'payload'],
    [isU64(mass), 'mass'],
  ] as const
  const wrong =
    wrongOf(fields) ??
    wrongIn('inputs', inputs, (input) => wrongOf(inputFields(input))) ??
    wrongIn('outputs', outputs, (output) => wrongOf(outputFields(output)))
  if (wrong === undefined) return
  throw invalidArgument(`${argument}.${wrong}`, `"${argument}" is not a transaction: "${wrong}" is not valid`)
}

type Field = readonly [isValid: boolean, name: string]

const inputFields = ({ previousOutpoint, signatureScript, sequence, ...rest }: TransactionInput): readonly Field[] => [
  [isAnyHex(previousOutpoint.transactionId, 32), 'previousOutpoint.transactionId'],
  [isUint(previousOutpoint.index, 32), 'previousOutpoint.index'],
  [isAnyHex(signatureScript), 'signatureScript'],
  [isU64(sequence), 'sequence'],
  [isUint(rest.sigOpCount, 8), 'sigOpCount'],
  [rest.computeBudget === undefined || isUint(rest.computeBudget, 16), 'computeBudget'],
]

const outputFields = ({ value, scriptPublicKey, covenant }: TransactionOutput): readonly Field[] => [
  [isU64(value), 'value'],
  [isUint(scriptPublicKey.version, 16), 'scriptPublicKey.version'],
  [isAnyHex(scriptPublicKey.script), 'scriptPublicKey.script'],
  [covenant === undefined || isUint(covenant.authorizingInput, 16), 'covenant.authorizingInput'],
  [covenant === undefined || isAnyHex(covenant.covenantId, 32), 'covenant.covenantId'],
]

const wrongOf = (fields: readonly Field[]): string | undefined => fields.find(([isValid]) => !isValid)?.[1]

function wrongIn<Item>(
  name: string,
  items: readonly Item[],
  wrongPart: (item: Item) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const wrong = wrongPart(item)
    if (wrong !== undefined) return `${name}[${index}].${wrong}`
  }
  return undefined
}

const isUint = (value: unknown, bits: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** bits

const isU64 = (value: unknown): boolean => typeof value === 'bigint' && BigInt.asUintN(64, value) === value

/** In either case, as nodes take it. */
const isAnyHex = (value: unknown, length?: number): boolean =>
  typeof value === 'string' && isHex(value.toLowerCase(), length)
