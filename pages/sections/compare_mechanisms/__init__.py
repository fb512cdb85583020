"""Compare mechanisms, without data: what each costs, where it errs, and which serves a goal."""
