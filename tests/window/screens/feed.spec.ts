/** Adopting an event queue: it is asked for where it is missed, shows what waits, and needs the queue's name. */
import { expect, test } from "@playwright/test";
import { judge } from "./judge";
import { dialog, open } from "./screens";

const adopting = "Adopt an event queue";

test("a queue nobody adopted says so on the placements screen and leads to its adoption", async ({
  page,
}) => {
  await open(page, "#/placements", "still,unadopted");
  await expect(
    page.getByText("not adopted: its 200 messages are left alone"),
  ).toBeVisible();
  await expect(page.getByText("somebody else reads this queue")).toBeVisible();
  await judge(page);
  await page
    .getByRole("button", { name: "Look at shop-orders and adopt it" })
    .click();
  const shown = dialog(page, adopting);
  await expect(shown.getByText("50 messages, none deleted")).toBeVisible();
  await expect(shown.getByText('{"order": 117}')).toBeVisible();
  await judge(page);
});

test("where nothing is received, placements are not known and never none", async ({
  page,
}) => {
  await open(page, "#/placements", "still,empty,unheard");
  await expect(page.getByText("No event queue is adopted")).toBeVisible();
  await expect(page.getByText("0 placements")).toHaveCount(0);
  await expect(page.getByText("Outcomes", { exact: true })).toHaveCount(0);
  await judge(page);
});

for (const theme of ["light", "dark"] as const) {
  test(`messages of others ask for the queue's name, by keyboard alone, in the ${theme} theme`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await open(page, "#/placements", "still,unadopted");
    await page
      .getByRole("button", { name: "Look at shop-orders and adopt it" })
      .press("Enter");
    const shown = dialog(page, adopting);
    const adopt = shown.getByRole("button", { name: "Adopt this queue" });
    await expect(adopt).toBeDisabled();
    const name = shown.getByRole("textbox");
    await name.fill("shop");
    await expect(adopt).toBeDisabled();
    await name.fill("shop-orders");
    await judge(page);
    await name.press("Enter");
    await expect(dialog(page, adopting)).toHaveCount(0);
    await expect(page.getByText("The queue is adopted")).toBeVisible();
  });
}

test("what was set aside is shown with the reason", async ({ page }) => {
  await open(page, "#/placements", "still,unadopted");
  await page
    .getByRole("button", { name: "Messages of liftdeck that were set aside" })
    .click();
  await expect(
    dialog(page, "Messages set aside").getByText(
      "the queue arena in mars-north-1",
    ),
  ).toBeVisible();
  await judge(page);
});

test("a look that is refused says why and can be tried again", async ({
  page,
}) => {
  await open(page, "#/placements", "still,unadopted,brokenLook");
  await page
    .getByRole("button", { name: "Look at shop-orders and adopt it" })
    .click();
  const shown = dialog(page, adopting);
  await expect(shown.getByRole("alert")).toContainText("AccessDeniedException");
  await expect(shown.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(
    shown.getByRole("button", { name: "Adopt this queue" }),
  ).toBeDisabled();
});
