import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey, toScriptPublicKey } from '../../src/model/address.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { FEE_ESTIMATE, HANDSHAKE_RESPONSES } from './handshake.js'
import { startStubServer, type StubServer } from './stub-server.js'

export const KEY = '33'.repeat(32)
export const ADDRESS = addressOfPublicKey(toHex(schnorr.getPublicKey(fromHex(KEY))), 'kaspatest')
export const KAS = 100_000_000n

/** UTXOs that a change adds. */
export const CHANGED = 100

/**
 * A node of testnet-10 where the address has so many UTXOs, and which accepts every payment. Borsh. `changes`: how many
 * notifications it can send that add UTXOs.
 */
export const startPayingNode = (utxos: number, changes = 0): Promise<StubServer> =>
  startStubServer(createBorshCodec(), {
    responses: {
      ...HANDSHAKE_RESPONSES,
      getUtxosByAddresses: { entries: utxosOf(0, utxos) },
      getMempoolEntriesByAddresses: { entries: [] },
      getFeeEstimate: FEE_ESTIMATE,
      getSink: { sink: 'a'.repeat(64) },
      submitTransaction: { transactionId: '0'.repeat(64) },
    },
    notifications: Array.from({ length: changes }, (_, change) => ({
      type: 'utxos-changed',
      data: { added: utxosOf(utxos + change * CHANGED, CHANGED), removed: [] },
    })),
  })

const utxosOf = (first: number, count: number): UtxoEntry[] =>
  Array.from({ length: count }, (_, at) => utxoOf(first + at))

const utxoOf = (number: number): UtxoEntry => ({
  address: ADDRESS,
  outpoint: { transactionId: number.toString(16).padStart(64, '0'), index: 0 },
  amount: 10n * KAS + BigInt(number),
  scriptPublicKey: toScriptPublicKey(ADDRESS),
  blockDaaScore: 1n,
  isCoinbase: false,
  covenantId: undefined,
})
