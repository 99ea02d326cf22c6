import { afterAll, expect, it } from 'vitest'
import { createMemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { connectBy } from '../contract/node/support/client.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { openMemorySocket } from '../contract/node/support/test-socket.js'
import { replyOf } from '../submission-replies/calls.js'
import type { CallHarness } from './harness.js'
import { CALL_ROWS } from './rows.js'
import { ALICE } from './transaction.js'

const KAS = 100_000_000n
const UTXOS = 120

const utxos = Array.from({ length: UTXOS }, () => ({ address: ALICE.address, amount: 50n * KAS }))
const devnode = createMemoryDevnode({ blockInterval: 0, utxos })
const client = await connectBy(openMemorySocket(devnode), devnode.urls.borsh, createBorshCodec())
const funds = [...(await indexedUtxos(client, [ALICE.address], UTXOS))]

afterAll(async () => {
  client.close()
  await devnode.close()
})

const harness: CallHarness = {
  submit: (transaction, how) => replyOf(client, transaction, how),
  mine: async (count) => void (await devnode.mine(count)),
  utxo: () => Promise.resolve(funds.pop()!),
}

/** The same rows run on kaspad: test/real-node/contracts.scenario.ts. */
it.each(CALL_ROWS)('a devnode replies as kaspad to $situation', async ({ replies, play }) => {
  expect(await play(harness)).toEqual(replies)
})
