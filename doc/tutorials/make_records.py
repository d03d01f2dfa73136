import numpy as np
import pandas as pd

n_customers, n_records = 10_000, 20_000
rng = np.random.default_rng(0)
more = rng.integers(n_customers, size=n_records - n_customers)
customer = np.sort(np.append(np.arange(n_customers), more))  # each has at least one record
other, merge_at = rng.integers(n_customers, size=n_customers), rng.random(n_customers)
split_at = rng.random(n_records)


def write_night(name, split, merge):
    found = np.where(merge_at < merge, other, np.arange(n_customers))[customer]
    found = np.where(split_at < split, n_customers + np.arange(n_records), found)
    table = {
        "record": [f"R{number:05}" for number in range(n_records)],
        "customer": [f"C{number:05}" for number in customer],
        "found": [f"F{number:05}" for number in found],
    }
    pd.DataFrame(table).to_csv(name, index=False)


write_night("monday.csv", split=0.05, merge=0.03)
write_night("tuesday.csv", split=0.052, merge=0.03)
write_night("wednesday.csv", split=0.05, merge=0.06)  # something broke
