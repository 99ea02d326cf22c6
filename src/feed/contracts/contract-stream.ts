import type { ChainNetwork } from '../../model/network.js'
import type { StreamPurpose } from '../jetstream/ensure-stream.js'

/** The stream of a name and network. Its subjects begin with its name. */
export const contractStream = (name: string, network: ChainNetwork): StreamPurpose => ({
  name: `${name}-${network}`,
  description: 'vue-chain feed: outputs of contracts',
  subjects: `${name}-${network}.>`,
})

/** The beginning and the end of each batch. */
export const batchSubject = (stream: string): string => `${stream}.batch`

/** The outputs of a covenant. */
export const outputSubject = (stream: string, covenantId: string): string => `${stream}.output.${covenantId}`
