import { expect, it } from 'vitest'
import { setupDemo } from './demo-harness.js'

const harness = setupDemo()

it('shows a payment request until it is confirmed, also where it is paid in parts', async () => {
  const { page, problems } = await harness.visit()
  const panel = page.getByRole('region', { name: 'Get paid' })
  await panel.getByRole('button', { name: 'Request 5 KAS' }).click()
  await panel.getByRole('img', { name: /^Payment of 5 SKAS to kaspasim:/ }).waitFor()
  await panel.getByRole('button', { name: 'Pay a half' }).click()
  await panel.getByRole('img', { name: /^Payment of 2\.5 SKAS to kaspasim:/ }).waitFor() // what is left
  await panel.getByRole('button', { name: 'Pay a half' }).click()
  await panel.getByText('Payment confirmed', { exact: true }).first().waitFor()
  expect(problems).toEqual([])
})

it('keeps every payment of the page, and shows the older ones on demand', async () => {
  const { page, problems } = await harness.visit()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const isVisible = (payment: number) => page.getByTestId(`payment-${payment}`).isVisible()
  for (let payment = 1; payment <= 7; payment++) {
    await send.click()
    await page.getByTestId(`payment-${payment}`).locator('[data-test-reached]').waitFor({ state: 'attached' })
  }
  expect([await isVisible(1), await isVisible(2), await isVisible(7)]).toEqual([false, true, true])
  await page.getByRole('button', { name: 'Show all 7 payments' }).click()
  await page.getByTestId('payment-1').waitFor()
  await page.getByTestId('payment-1').locator('[data-test-reached="4"]').waitFor() // its status is tracked while hidden
  await page.getByRole('button', { name: 'Show the latest 6 payments' }).click()
  await page.getByTestId('payment-1').waitFor({ state: 'hidden' })
  expect(problems).toEqual([])
})
