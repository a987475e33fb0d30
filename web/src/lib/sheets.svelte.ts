// Which sheet of paper lies over the table.

export type Sheet = "rules" | "log" | "known" | "points" | "scores" | "settings" | "more";

class Sheets {
  open = $state<Sheet | "clause" | null>(null);
  clause = $state("");

  show(sheet: Sheet) {
    this.open = this.open === sheet ? null : sheet;
  }

  openClause(id: string) {
    this.clause = id;
    this.open = "clause";
  }

  close() {
    this.open = null;
  }
}

export const sheets = new Sheets();
