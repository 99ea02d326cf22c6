import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { blake2b256 } from '../../../src/model/hashing.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { sighash } from '../../../src/model/sighash.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { recordedUtxos, networkWith, recorded, recordedText, replay } from './recorded.js'
import { utxoCreatedBy, utxosOf, send, toOutput, unsigned, walletOf } from './wallet.js'
import { mineOn, simnet } from './simnet.js'

const [alice, bob, carol] = [0x33, 0x44, 0x55].map((byte) => ({
  ...walletOf(byte),
  key: new Uint8Array(32).fill(byte),
}))
const keyOf = ({ key }: { readonly key: Uint8Array }): string => toHex(schnorr.getPublicKey(key))
const push = (hex: string): string => {
  const length = (hex.length / 2).toString(16).padStart(2, '0')
  return hex.length <= 150 ? length + hex : `4c${length}${hex}`
}

/** A UTXO of 10 KAS locked by a script hash. */
function lockedBy(redeemScript: string): UtxoEntry {
  const [utxo] = utxosOf(alice!.address, 1, 1_000_000_000n)
  return { ...utxo!, scriptPublicKey: { version: 0, script: `aa20${toHex(blake2b256(fromHex(redeemScript)))}87` } }
}

interface Spend {
  readonly pushes?: (signature: (wallet: { readonly key: Uint8Array }) => string) => string
  readonly sigOpCount?: number
  readonly lockTime?: bigint
  readonly sequence?: bigint
}

/** Spends a UTXO locked by the script; returns the error message or the kind of admission. */
function spend(
  redeemScript: string,
  { pushes = () => '', sigOpCount = 3, ...options }: Spend,
  network?: Network,
): string {
  const utxo = lockedBy(redeemScript)
  const base = unsigned([utxo], [toOutput({ to: bob!.address, amount: 990_000_000n })], options)
  const bare: Transaction = { ...base, inputs: base.inputs.map((input) => ({ ...input, sigOpCount })) }
  const sign = ({ key }: { readonly key: Uint8Array }) =>
    push(`${toHex(schnorr.sign(sighash(bare, 0, [utxo]), key, new Uint8Array(32)))}01`)
  const signatureScript = pushes(sign) + push(redeemScript)
  const admission = send(network ?? simnet([utxo]), {
    ...bare,
    inputs: bare.inputs.map((input) => ({ ...input, signatureScript })),
  })
  return admission.kind === 'rejected'
    ? admission.message.replace(/^.*?: (failed to verify the signature script: )?/, '')
    : admission.kind
}

const TWO_OF_THREE = `52${[alice!, bob!, carol!].map((wallet) => push(keyOf(wallet))).join('')}53ae`

/** Whether a spend of an output of an unconfirmed payment gets into the block after that of the payment. */
function isAcceptedLater(redeemScript: string): boolean {
  const { scriptPublicKey } = lockedBy(redeemScript)
  const [utxo] = utxosOf(alice!.address, 1, 1_000_000_000n)
  const network = simnet([utxo!])
  const parent = alice!.sign(unsigned([utxo!], [{ value: 990_000_000n, scriptPublicKey }]), [utxo!])
  const child = unsigned([utxoCreatedBy(parent)], [toOutput({ to: bob!.address, amount: 980_000_000n })])
  const signed = { ...child, inputs: child.inputs.map((input) => ({ ...input, signatureScript: push(redeemScript) })) }
  for (const transaction of [parent, signed]) expect(send(network, transaction).kind).toBe('admitted')
  mineOn(network, 4)
  return network.state.utxos.get({ transactionId: transactionId(child), index: 0 }) !== undefined
}

describe('a locking script', () => {
  it('reads the DAA score of what it spends, which a UTXO of the mempool does not have yet', () => {
    const isBelowZero = '00c0009f'
    expect(isAcceptedLater(isBelowZero)).toBe(false)
    expect(isAcceptedLater('51')).toBe(true)
  })

  it.each([
    ['alice and bob', (sign) => sign(alice!) + sign(bob!), 'admitted'],
    ['alice and carol', (sign) => sign(alice!) + sign(carol!), 'admitted'],
    [
      'bob and alice, in the wrong order',
      (sign) => sign(bob!) + sign(alice!),
      'not all signatures empty on failed checkmultisig',
    ],
    ['no key', () => '', 'opcode requires at least 2 but stack has only 0'],
    ['alice twice', (sign) => sign(alice!) + sign(alice!), 'not all signatures empty on failed checkmultisig'],
    ['two empty signatures', () => '0000', 'false stack entry at end of script execution'],
  ] satisfies readonly (readonly [string, NonNullable<Spend['pushes']>, string])[])(
    'two of three keys, signed by %s',
    (_, pushes, outcome) => {
      expect(spend(TWO_OF_THREE, { pushes })).toBe(outcome)
    },
  )

  it('is charged for every tried key', () => {
    const pushes: Spend['pushes'] = (sign) => sign(alice!) + sign(carol!)
    expect(spend(TWO_OF_THREE, { pushes, sigOpCount: 2 })).toBe(
      'script units exceeded the amount committed in the input: used=300237, limit=209999',
    )
  })

  it('executes one of two branches', () => {
    const either = `63${push(keyOf(alice!))}67${push(keyOf(bob!))}68ac`
    expect(spend(either, { pushes: (sign) => `${sign(alice!)}51` })).toBe('admitted')
    expect(spend(either, { pushes: (sign) => `${sign(bob!)}00` })).toBe('admitted')
    expect(spend(either, { pushes: (sign) => `${sign(bob!)}51` })).toBe('false stack entry at end of script execution')
    expect(spend('51635168' + '63', { sigOpCount: 0 })).toBe('end of script reached in conditional execution')
  })

  it('can require a hash preimage', () => {
    const secret = 'c0ffee'
    const lock = `aa${push(toHex(blake2b256(fromHex(secret))))}87`
    expect(spend(lock, { pushes: () => push(secret), sigOpCount: 0 })).toBe('admitted')
    expect(spend(lock, { pushes: () => push('c0ffe0'), sigOpCount: 0 })).toBe(
      'false stack entry at end of script execution',
    )
  })

  it('can require a lock time and an age', () => {
    const utxo = lockedBy('01' + '10' + 'b0' + '51')
    const from = networkWith([utxo], 20)
    expect(spend('0110b051', { lockTime: 16n, sigOpCount: 0 }, from)).toBe('admitted')
    expect(spend('0110b051', { lockTime: 15n, sigOpCount: 0 }, networkWith([utxo], 20))).toMatch(
      /^Unsatisfied lock time: .*16 > 15$/,
    )
    const aged = lockedBy('0105b151')
    expect(spend('0105b151', { sequence: 5n, sigOpCount: 0 }, networkWith([aged], 20))).toBe('admitted')
    expect(spend('0105b151', { sequence: 4n, sigOpCount: 0 }, networkWith([aged], 20))).toMatch(
      /^Unsatisfied lock time: .*5 > 4$/,
    )
  })

  it('must leave exactly one true element', () => {
    expect(spend('51', { sigOpCount: 0 })).toBe('admitted')
    expect(spend('5151', { sigOpCount: 0 })).toBe('stack contains 1 unexpected items')
    expect(spend('00', { sigOpCount: 0 })).toBe('false stack entry at end of script execution')
    expect(spend('75', { sigOpCount: 0 })).toBe('opcode requires at least 1 but stack has only 0')
  })

  it('fails with different messages for unsupported, invalid and disabled opcodes', () => {
    expect(spend('a6', { sigOpCount: 0 })).toBe('the simulated network does not execute opcode 0xa6')
    expect(spend('d4', { sigOpCount: 0 })).toBe('the simulated network does not execute opcode 0xd4')
    expect(spend('ff', { sigOpCount: 0 })).toBe('attempt to execute invalid opcode Opcode<0xff>{ data:[] }')
    expect(spend('80', { sigOpCount: 0 })).toBe('attempt to execute disabled opcode Opcode<0x80>{ data:[] }')
  })
})

it('rejects a redeem script with sixteen signature operations, as a real node does', () => {
  const entry = recorded('p2sh-sigops-16')
  const script = entry.submit!.inputs[0]!.signatureScript
  const redeemScript = script.slice(script.indexOf('4d1302') + 6)
  const { previousOutpoint } = entry.submit!.inputs[0]!
  const utxo = { ...lockedBy(redeemScript), outpoint: previousOutpoint }
  expect(recordedUtxos([entry])).toEqual([])
  expect(replay(networkWith([utxo]), entry)).toBe(recordedText(entry))
})
