import { sompiToKaspa } from '../../model/amount.js'
import { TEST_MNEMONIC, type DevnodeAccount } from '../accounts.js'
import type { Devnode } from '../devnode.js'
import { FLAGS } from './flags.js'

/** The start-up message: URLs and funded accounts, in ten lines. */
export function formatBanner({ network, urls, blockInterval, accounts, expected }: Devnode): string {
  const pace = blockInterval === 0 ? 'blocks on demand' : `a block every ${blockInterval} ms`
  const lines = [
    `vue-chain-devnode · ${network} · ${pace}`,
    `RPC      ${urls.borsh} (Borsh)   ${urls.json} (JSON)`,
    `REST     ${urls.rest}`,
    `Control  ${urls.control}`,
    `${accounts.length} accounts of the mnemonic "${TEST_MNEMONIC}". Its keys are public: never send real funds to them.`,
  ]
  const balances = accounts.map(({ address }) =>
    expected.utxos([address]).reduce((sum, { amount }) => sum + amount, 0n),
  )
  return [...lines, ...inPairs(accounts.map((account, index) => describe(account, balances[index] ?? 0n)))].join('\n')
}

export function formatHelp(): string {
  const flags = Object.entries(FLAGS).map(
    ([flag, { value, about }]) => `  --${flag.padEnd(16)} ${value.padEnd(10)} ${about}`,
  )
  return [
    'vue-chain-devnode: a Kaspa network on this machine, for development.',
    '',
    ...flags,
    `  --${'quiet'.padEnd(16)} ${''.padEnd(10)} print nothing but errors`,
  ].join('\n')
}

const describe = ({ index, address, privateKeyHex }: DevnodeAccount, balance: bigint): string =>
  `${`(${index})`.padStart(4)} ${address} ${privateKeyHex} ${sompiToKaspa(balance)} KAS`

/** Two accounts a line, so that the default of ten fits in five lines. */
const inPairs = (accounts: readonly string[]): readonly string[] =>
  accounts.flatMap((account, index) =>
    index % 2 === 0 ? [[account, ...accounts.slice(index + 1, index + 2)].join('  ')] : [],
  )
