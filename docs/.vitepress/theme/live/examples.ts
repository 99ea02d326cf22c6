import type { ActionName } from '../network/action-labels.js'

/** What a reader can do beside the example of each page, so that the page's subject changes. */
export const EXAMPLE_ACTIONS: Readonly<Record<string, readonly ActionName[]>> = {
  ConnectWallet: ['lockWallet', 'switchAccount'],
  useBalance: ['receive', 'send', 'mine', 'drop', 'reorg'],
  useBlockListener: ['mine', 'parallel', 'drop', 'reorg'],
  useChain: ['drop'],
  useChainEngine: ['reorg', 'mine'],
  useChainRest: ['receive', 'failRest'],
  useCrypto: [],
  useDiagnosis: ['notSynced', 'failRest', 'drop'],
  useInfiniteRestQuery: ['receive', 'failRest'],
  useNetwork: ['mine', 'drop'],
  useRestQuery: ['receive', 'failRest'],
  useRpc: ['drop', 'restart', 'freeze', 'mine'],
  useRpcEvent: ['mine', 'parallel', 'drop'],
  useRpcQuery: ['receive', 'drop', 'restart'],
  useTransaction: ['mine', 'drop'],
  useTransactionListener: ['send', 'receive', 'mine', 'drop', 'reorg'],
  useTransactionStatus: ['send', 'mine', 'drop', 'reorg'],
  useTransfers: ['receive', 'send', 'mine', 'drop', 'reorg'],
  useUtxo: ['receive', 'send', 'mine', 'drop', 'reorg'],
  useVueChain: ['drop', 'restart'],
  useWallet: ['lockWallet', 'switchAccount'],
}
