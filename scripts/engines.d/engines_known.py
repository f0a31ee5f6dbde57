KNOWN = []
