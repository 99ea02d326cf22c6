import { expect, it } from 'vitest'
import { raiseDemo } from './demo-stage.js'

const stage = raiseDemo()

it('keeps every payment of the page, and shows the older ones when asked to', async () => {
  const { page, complaints } = await stage.visit()
  const send = page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled'))
  const isVisible = (payment: number) => page.getByTestId(`payment-${payment}`).isVisible()
  for (let payment = 1; payment <= 7; payment++) {
    await send.click()
    await page.getByTestId(`payment-${payment}`).locator('[data-test-reached]').waitFor({ state: 'attached' })
  }
  expect([await isVisible(1), await isVisible(2), await isVisible(7)]).toEqual([false, true, true])
  await page.getByRole('button', { name: 'Show all 7 payments' }).click()
  expect(await isVisible(1)).toBe(true)
  await page.getByTestId('payment-1').locator('[data-test-reached="4"]').waitFor() // it was followed all along
  await page.getByRole('button', { name: 'Show the latest 6 payments' }).click()
  expect(await isVisible(1)).toBe(false)
  expect(complaints).toEqual([])
  await page.close()
})
