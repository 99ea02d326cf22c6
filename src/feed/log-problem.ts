import type { ChainLogger } from '../platform/port.js'
import type { ChainProblem } from '../streams/chain/attempts.js'

/** Writes why the chain does not go on, with the blocks and endpoints that it is about. */
export function logProblem(logger: ChainLogger, problem: ChainProblem): void {
  switch (problem.type) {
    case 'behind':
      logger.warn('The chain of the node is behind the stored position', {
        endpoint: problem.url,
        block: problem.block,
      })
      return
    case 'malformed':
      logger.warn('A response of the node is malformed', { endpoint: problem.url, error: problem.error })
      return
    case 'rewound':
      logger.warn('The stored position was no block of the chain and is rewound', {
        endpoints: problem.urls,
        block: problem.block,
        to: problem.to,
      })
  }
}
