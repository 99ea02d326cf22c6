import { createSentIds, type SentIds } from '../../model/bounded-collections.js'

/** The transactions that an engine has sent, to nodes by every path and to indexers. */
export const sentIds = (): SentIds => createSentIds()
