import { afterAll, describe, expect, it } from 'vitest'
import { acceptance } from './suites/acceptance.js'
import { mempool } from './suites/mempool.js'
import { nodeInfo } from './suites/node-info.js'
import { payments } from './suites/payments.js'
import { subscriptions } from './suites/subscriptions.js'
import { openSharedDevnode } from './support/target.js'

/** What depends on the connection, over virtual ones: each client is a tab, and all have one socket. */
const SUITES = [nodeInfo, subscriptions, acceptance, mempool, payments]

const target = await openSharedDevnode()

afterAll(() => target.close())

target.nodes.forEach((node) => {
  describe(`a node (${target.name}) over ${node.encoding}`, () => {
    for (const define of SUITES) define(node)
  })
})

it('has one socket for each encoding', () => {
  expect(target.connections()).toBe(2)
})
