import { describe, expect, it } from 'vitest'
import type { RpcMethod, RpcRequest } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { accountOf } from '../support/payment.js'

const UNKNOWN = 'ee'.repeat(32)
const NO_HEADER = `cannot find header ${UNKNOWN}`

type Case = { [M in RpcMethod]: readonly [string, M, RpcRequest<M>, string] }[RpcMethod]

const CASES: readonly Case[] = [
  ['an unknown block', 'getBlock', { hash: UNKNOWN, includeTransactions: false }, NO_HEADER],
  [
    'blocks from an unknown block',
    'getBlocks',
    { lowHash: UNKNOWN, includeBlocks: false, includeTransactions: false },
    NO_HEADER,
  ],
  [
    'transactions without their blocks',
    'getBlocks',
    { includeBlocks: false, includeTransactions: true },
    'If includeTransactions is set, then includeBlockVerboseData must be set as well.',
  ],
  [
    'the chain from an unknown block',
    'getVirtualChainFromBlock',
    { startHash: UNKNOWN, includeAcceptedTransactionIds: false },
    NO_HEADER,
  ],
  ['the same in version 2', 'getVirtualChainFromBlockV2', { startHash: UNKNOWN }, NO_HEADER],
  ['the reward of an unknown block', 'getBlockRewardInfo', { hash: UNKNOWN }, NO_HEADER],
  [
    'the colour of an unmerged block',
    'getCurrentBlockColor',
    { hash: UNKNOWN },
    `Block ${UNKNOWN} doesn't have any merger block.`,
  ],
  [
    'a transaction outside the mempool',
    'getMempoolEntry',
    { transactionId: UNKNOWN, includeOrphanPool: false, filterTransactionPool: false },
    `Transaction ${UNKNOWN} not found`,
  ],
  [
    'a mempool without its transactions and without orphans',
    'getMempoolEntries',
    { includeOrphanPool: false, filterTransactionPool: true },
    'transaction query must either not filter transactions or include orphans',
  ],
  [
    'the return address of an unknown transaction',
    'getUtxoReturnAddress',
    { txid: UNKNOWN, acceptingBlockDaaScore: 0n },
    `utxo inquirer error: Did not find queried transactions in acceptance data: [${UNKNOWN}]`,
  ],
  ['headers', 'getHeaders', { startHash: UNKNOWN, limit: 3n, isAscending: true }, 'Not implemented'],
  ['a subnetwork', 'getSubnetwork', { subnetworkId: '00'.repeat(20) }, 'Not implemented'],
]

/** Rejected calls and their error messages. */
export function rejections(node: NodeUnderTest): void {
  describe('rejects, with its error message,', () => {
    it.each(CASES)('%s', async (_, method, request, text) => {
      expect(await node.client.rejection(method, request)).toBe(text)
    })

    it('a hash rate over less than 1,000 blocks', async () => {
      const text = await node.client.rejection('estimateNetworkHashesPerSecond', { windowSize: 100 })
      expect(text).toMatch(/^difficulty error: under min allowed window size \(\d+ < 1000\)$/)
    })

    it('a template for an address of another network', async () => {
      const prefix = node.network.addressPrefix === 'kaspa' ? 'kaspatest' : 'kaspa'
      const payAddress = addressOfNetwork(prefix)
      expect(await node.client.rejection('getBlockTemplate', { payAddress, extraData: '' })).toBe(
        `The address has an invalid prefix ${prefix}`,
      )
    })

    it('a template with too much extra data for a coinbase', async () => {
      const request = { payAddress: node.newAccount().address, extraData: 'ab'.repeat(200) }
      expect(await node.client.rejection('getBlockTemplate', request)).toBe(
        'Coinbase payload is above max length (204). Try to shorten the extra data.',
      )
    })

    it('the colour of the sink, which is not merged yet', async () => {
      const { sink } = await node.client.call('getSink', {})
      expect(await node.client.rejection('getCurrentBlockColor', { hash: sink })).toBe(
        `Block ${sink} doesn't have any merger block.`,
      )
    })

    it('administrative methods in safe mode', async ({ skip }) => {
      const unban = await node.client.rejection('unban', { ip: '203.0.113.77' })
      if (unban === 'IP 203.0.113.77 is not registered as banned.') skip('this node runs with unsafe RPC')
      const safeMode = 'Method unavailable in safe mode. Run the node with --unsaferpc argument.'
      expect(unban).toBe(safeMode)
      expect(await node.client.rejection('ban', { ip: '203.0.113.77' })).toBe(safeMode)
      expect(await node.client.rejection('shutdown', {})).toBe(safeMode)
      const peer = { peerAddress: { ip: '203.0.113.77', port: 1 }, isPermanent: false }
      expect(await node.client.rejection('addPeer', peer)).toBe(safeMode)
      expect(await node.client.rejection('estimateNetworkHashesPerSecond', { windowSize: 10_001 })).toBe(
        'Requested window size 10001 is larger than max 10000 allowed in RPC safe mode.',
      )
    })
  })
}

function addressOfNetwork(prefix: 'kaspa' | 'kaspatest'): string {
  return accountOf('44'.repeat(32), prefix).address
}
