"""What the interventions on string operations share: when they apply, the guards, and the parts of their templates."""
