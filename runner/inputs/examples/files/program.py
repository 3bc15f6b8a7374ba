def f(nums):
    output = []
    for n in nums:
        output.append((nums.count(n), n))  # pairs
    output.sort(reverse=True)
    return output
